# Files of src/probe, a line each, headers too.
