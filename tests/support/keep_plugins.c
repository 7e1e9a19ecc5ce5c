/* For builds that look for leaks (scripts/setup links it into every program): plugins stay loaded,
 * so that what an MPI library leaves behind carries the plugin's name, which lsan.supp knows. */
int dlclose(void *handle);
int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
