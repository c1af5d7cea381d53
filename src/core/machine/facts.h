/* Facts about the machine and the program, as names and texts: for `samebits info` and the /env of run files. */
#pragma once

enum { SB_FACTS_MAX = 192 };

typedef struct sb_fact {
    char name[64];
    char value[512];
} sb_fact;

typedef struct sb_facts {
    int n;
    sb_fact fact[SB_FACTS_MAX];
} sb_facts;

/* In the value the home folder and its owner are hidden (home.h): facts are for others to read. */
void sb_facts_add(sb_facts *facts, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* NULL if there is no such fact. */
const char *sb_facts_find(const sb_facts *facts, const char *name);

/* What stands for a CPU's model name where the kernel has none, on Arm: "CPU implementer" and "CPU part". */
#define SB_FACTS_CPU_OF_ARM "Arm, implementer %s, part %s"

/* CPU model, its numbers of cores and threads, caches, instruction sets, memory, operating system, kernel, C library,
 * image it runs in (SAMEBITS_IMAGE, which an engine hands in). The environment variables that can change results: environment.h. */
void sb_facts_machine(sb_facts *facts);

/* Version, compiler, flags and source revision this program was built from; nvcc, its architectures and flags where it
 * was. */
void sb_facts_build(sb_facts *facts);
