/* A bare MPI program: the seconds that 40 barriers take all ranks, the most of any. */
#include <mpi.h>
#include <stdio.h>

enum { BARRIERS = 40 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < BARRIERS; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    double own = MPI_Wtime() - start, most = 0;
    MPI_Reduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f\n", most);
    MPI_Finalize();
    return 0;
}
