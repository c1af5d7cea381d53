/* What OpenBLAS asks of its process, answered by us (the linker's --wrap, cmake/libraries.cmake). */
int __wrap_openblas_num_threads_env(void);

/* Stands in for OpenBLAS's own function, which reads OPENBLAS_NUM_THREADS when the library initialises itself, before main,
 * whichever backend is chosen. With one thread it starts none and maps no memory; the openblas backend sets the number when
 * it is opened. Else every verb would start a thread for each core; each of them maps 128 MiB and, where memory is short,
 * tries so without end, which the process then waits for at its exit, on every backend. */
int __wrap_openblas_num_threads_env(void)
{
    return 1;
}
