/* MPICH 4.0.2 over TCP could not end. MPI_Finalize flushes each connection of UCX, below it, and over TCP the other rank has
 * to answer that; then it waits for all ranks in a read of the launcher's pipe, where it answers nothing. A rank whose
 * flush comes when another one is there already waits for ever. MPICH 4.2.0 waits in another order. Here connections are
 * taken for flushed: mpi.c waits for all ranks before it ends MPI, so that nothing is under way, and UCX closes them.
 *
 * The linker has MPICH call this in place of ucp_disconnect_nb (--wrap, in src/CMakeLists.txt). */
#include <stddef.h>

void *__wrap_ucp_disconnect_nb(void *connection);

/* NULL: it has ended already. */
void *__wrap_ucp_disconnect_nb(void *connection)
{
    (void)connection;
    return NULL;
}
