/* This machine as a matrix sees it: what hardware rows are recognised by and requirements are compared with. */
#pragma once

#include <stdbool.h>

enum { SB_HOST_GPUS = 16 };

typedef struct sb_host {
    char cpu[128];    /* model name, or what facts.h has in its place; "" if unknown */
    char flags[4096]; /* instruction sets, " avx avx2 ... " with a space on both ends */
    char gpu[SB_HOST_GPUS][128];
    int n_gpus;
    long driver;      /* major version of the GPU driver, 0 without one */
    char foreign[64]; /* the variable that gives openblas without a kernel type other kernels than this CPU's; or "" */
} sb_host;

/* The variables with which OpenBLAS computes as on another CPU: its kernel type first, then its blocks. NULL ends them. */
extern const char *const sb_host_variables[];

/* This machine: from the kernel's tables; where they show no GPU, as in some containers and sandboxes, from nvidia-smi.
 */
void sb_host_here(sb_host *host);

/* Read the kernel's tables, the folder proc ("/proc"). What is not there stays empty. */
void sb_host_read(sb_host *host, const char *proc);

/* Add the GPUs that nvidia-smi lists, a line "NAME, DRIVER" each. */
void sb_host_add_gpus(sb_host *host, char *lines);

bool sb_host_has_flag(const sb_host *host, const char *flag);
