#include "io/h5/h5_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* What HDF5 reads from the environment when it starts. HDF5_USE_FILE_LOCKING overrides what a program asks for in every
 * release since 1.10.1, and a driver or connector from outside would read other files than ours. */
static const struct {
    const char *name, *value; /* NULL: unset */
} variables[] = {{"HDF5_USE_FILE_LOCKING", "FALSE"}, {"HDF5_DRIVER", NULL}, {"HDF5_VOL_CONNECTOR", NULL}};
enum { N_VARIABLES = sizeof variables / sizeof *variables };

static void set_variable(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* The environment is then as it was: libsamebits is part of other programs, which may have an HDF5 of their own. */
static void start_library(void)
{
    static bool is_started;
    char *before[N_VARIABLES];
    if (is_started) return;
    is_started = true;
    for (int i = 0; i < N_VARIABLES; i++) {
        const char *value = getenv(variables[i].name);
        before[i] = value ? strdup(value) : NULL;
        set_variable(variables[i].name, variables[i].value);
    }
    H5dont_atexit(); /* after a failed write the library's own last clean-up touches freed memory */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    (void)H5Fopen("", H5F_ACC_RDONLY, H5P_DEFAULT); /* fails, and has every part of the library read them */
    for (int i = 0; i < N_VARIABLES; i++) {
        set_variable(variables[i].name, before[i]);
        free(before[i]);
    }
}

int sb_h5_turn_begin(void)
{
    pthread_mutex_lock(&mutex);
    start_library();
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
