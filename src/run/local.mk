# Files of src/run, a line each, headers too.
