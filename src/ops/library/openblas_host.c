/* What OpenBLAS asks of its process, answered by us (the linker's --wrap, cmake/libraries.cmake). Its own answers come when
 * the library initialises itself, before main, whichever backend is chosen: every verb would start a thread for each core,
 * and each of them maps 128 MiB. Where memory is short it tries so without end. */
int __wrap_openblas_num_threads_env(void);
int __wrap_blas_thread_init(void);

/* In place of OPENBLAS_NUM_THREADS. The openblas backend sets the number when it is opened. */
int __wrap_openblas_num_threads_env(void)
{
    return 1;
}

/* Before main. OpenBLAS 0.3.29 maps memory for one thread, too. What sets the number of threads, or needs them, calls the
 * library's own function, as after a fork. */
int __wrap_blas_thread_init(void)
{
    return 0;
}
