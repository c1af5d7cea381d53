/* What moves bytes between ranks: a row of functions. Exchanges are begun, then asked whether they have ended, so that
 * time limits and the search for a rank that is lost are written once, in ranks.c. One exchange is under way at a time.
 * Notes are small messages next to it. */
#pragma once

#include "rank/ranks.h"

enum { SB_RANK_VERSION = 64, SB_RANK_TEXT = 480 };

/* The slices of all ranks, in bytes. */
typedef struct sb_rank_cut {
    size_t first[SB_RANKS_MAX], n[SB_RANKS_MAX];
} sb_rank_cut;

typedef enum sb_rank_says { SB_RANK_IS_HERE, SB_RANK_FAILED } sb_rank_says;

typedef struct sb_rank_note {
    sb_rank_says says;
    int code;      /* FAILED: its exit code */
    bool of_other; /* FAILED: the text is about another rank */
    long exchange; /* IS_HERE: the number of the exchange that it waits in */
    char text[SB_RANK_TEXT];
} sb_rank_note;

typedef struct sb_rank_engine {
    const char *name;
    sb_status (*open)(int *rank, int *size, char version[SB_RANK_VERSION]);
    void (*close)(void);
    /* as in ranks.h; they only begin */
    sb_status (*spread)(const void *whole, const sb_rank_cut *cut, void *pieces);
    sb_status (*gather)(void *whole, const sb_rank_cut *cut);
    sb_status (*sum)(void *x, size_t n, size_t each);
    sb_status (*test)(bool *ended);
    void (*tell)(int to, const sb_rank_note *note); /* may be lost where the other one does not listen */
    bool (*hear)(int *from, sb_rank_note *note);    /* false: there is none */
    void (*abort)(int code);                        /* ends all ranks; does not return */
} sb_rank_engine;

/* MPI, in the program that was linked with it; its functions are NULL in every other one. */
extern const sb_rank_engine sb_rank_mpi;
