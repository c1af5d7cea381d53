/* Debian's archive of HDF5 is compiled for programs, not for shared libraries: it reaches variables of the C library at
 * a fixed distance. The linker hands it these copies instead (--wrap in CMakeLists.txt). */
#include <stdio.h>

#define COPY(name)                                                                                                     \
    extern FILE *__real_##name;                                                                                        \
    extern FILE *__wrap_##name;                                                                                        \
    FILE *__wrap_##name;

COPY(stderr)
COPY(stdout)

__attribute__((constructor)) static void copy_them(void)
{
    __wrap_stderr = __real_stderr;
    __wrap_stdout = __real_stdout;
}
