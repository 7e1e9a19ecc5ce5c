# Files of src/cli, a line each, headers too.
