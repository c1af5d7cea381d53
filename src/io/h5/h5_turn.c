#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
#include "io/h5/h5_parts.h"

#include <pthread.h>
#include <stdlib.h>

static const pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* Before the library's first call, which reads them. HDF5_USE_FILE_LOCKING overrides what a program asks for in every
 * release since 1.10.1, and a driver or connector from outside would read other files than ours. */
static void set_environment(void)
{
    static bool is_set;
    if (is_set) return;
    is_set = true;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    unsetenv("HDF5_DRIVER");
    unsetenv("HDF5_VOL_CONNECTOR");
}

int sb_h5_turn_begin(void)
{
    pthread_mutex_lock(&mutex);
    set_environment();
    return 0;
}

void sb_h5_turn_end(const int *turn)
{
    (void)turn;
    pthread_mutex_unlock(&mutex);
}

/* The owner of a recursive mutex is a thread of the parent's, which is not here. */
void sb_h5_turn_renew(void)
{
    mutex = fresh;
}
