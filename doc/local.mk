# Documents, and the manual page once the program prints it from its tables.
