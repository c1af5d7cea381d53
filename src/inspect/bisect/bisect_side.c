#include "inspect/bisect/bisect_parts.h"

#include "core/machine/interrupt.h"
#include "core/rows/typed.h"
#include "inspect/child.h"
#include "inspect/diff.h"
#include "io/run/runfile.h"

#include <stdio.h>
#include <unistd.h>

sb_status sb_bisect_side_open(sb_bisect_side *side, char letter, const char *path)
{
    *side = (sb_bisect_side){.letter = letter, .path = path};
    SB_TRY(sb_h5_open(&side->run, path, SB_SEAL_RUNS));
    sb_status status = sb_runfile_check(side->run);
    if (status != SB_OK && status != SB_E_EMPTY) return status;
    SB_TRY(sb_links_read(&side->links, side->run));
    return sb_readback_read(&side->readback, side->run);
}

void sb_bisect_side_close(sb_bisect_side *side)
{
    sb_traced_free(&side->traced);
    sb_links_free(&side->links);
    sb_h5_close(side->run);
}

void sb_bisect_path(const sb_bisection *bisection, const char *name, char path[SB_PATH_MAX])
{
    snprintf(path, SB_PATH_MAX, "%s/%.60s", bisection->folder, name);
}

/* A command line of this program, word by word. */
typedef struct words {
    int n;
    char *word[SB_BISECT_WORDS];
} words;

static void add(words *w, const char *option, const char *value)
{
    w->word[w->n++] = (char *)option;
    if (value) w->word[w->n++] = (char *)value;
}

/* With a setting of the other side some of its own may have no effect, and then the program refuses them. */
static words begin(const sb_bisection *bisection, const char *verb, const sb_readback *settings)
{
    const char *text[SB_N_SETTINGS] = {0};
    char why[SB_TYPED_WHY];
    words w = {0};
    add(&w, "samebits", verb);
    add(&w, "--data", bisection->options->data);
    for (int i = 0; i < settings->n; i++) text[sb_setting_find(settings->item[i].setting)] = settings->item[i].value;
    for (int i = 0; i < settings->n; i++)
        if (sb_typed_acts(sb_setting_find(settings->item[i].setting), text, why))
            add(&w, settings->item[i].option, settings->item[i].value);
    return w;
}

static sb_status status_of(int code)
{
    static const sb_status known[] = {SB_E_USAGE, SB_E_MISSING, SB_E_INTEGRITY};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sb_exit_code(known[i]) == code) return known[i];
    return code == 130 || code == 143 ? SB_E_INTERRUPTED : SB_E_IO;
}

/* The child says on stderr what went wrong. */
static sb_status run(const words *w)
{
    int code;
    SB_TRY(sb_child_run(w->word, &code, NULL));
    if (sb_interrupt_signal()) return sb_fail(SB_E_INTERRUPTED, "samebits bisect: interrupted");
    if (code == 0) return SB_OK;
    return sb_fail(status_of(code), "samebits bisect: 'samebits %s' ended with exit code %d", w->word[1], code);
}

sb_status sb_bisect_train(const sb_bisection *bisection, const sb_readback *settings, int64_t updates, bool all_links,
                          const char *path)
{
    char n[24];
    snprintf(n, sizeof n, "%lld", (long long)updates);
    unlink(path); /* of an earlier bisection into this folder */
    words w = begin(bisection, "train", settings);
    add(&w, "--updates", n);
    add(&w, "--chain-every", all_links ? "1" : n);
    add(&w, "--output", path);
    if (bisection->options->quiet) add(&w, "--quiet", NULL);
    return run(&w);
}

sb_status sb_bisect_trace(const sb_bisection *bisection, const sb_readback *settings, long keep, const char *what,
                          sb_traced *traced)
{
    char update[24], row[24], path[SB_PATH_MAX], name[60];
    snprintf(update, sizeof update, "%lld", (long long)bisection->parting.update);
    snprintf(row, sizeof row, "%ld", keep);
    snprintf(name, sizeof name, "%.48s.trace.h5", what);
    for (char *c = name; *c; c++)
        if (*c == ' ' || *c == '\'') *c = '-';
    sb_bisect_path(bisection, name, path);
    words w = begin(bisection, "trace", settings);
    add(&w, "--update", update);
    add(&w, "--keep", row);
    if (*bisection->start) add(&w, "--start", bisection->start);
    add(&w, "--output", path);
    if (!bisection->options->quiet) fprintf(stderr, "bisect: traces update %s of %s again\n", update, what);
    SB_TRY(run(&w));
    sb_traced_free(traced);
    return sb_trace_read(traced, path);
}

/* ---- once more ---- */

/* A run that does not come out here needs another machine or another program: then that is the answer. */
sb_status sb_bisect_other_machine(const sb_bisection *bisection, bool a_repeats, bool b_repeats)
{
    bisection->facts->elsewhere[0] = !a_repeats;
    bisection->facts->elsewhere[1] = !b_repeats;
    SB_TRY(sb_diff_group(bisection->a.run, bisection->b.run, "env", bisection->out));
    return sb_fail(SB_E_DIFFERS,
                   "%s%s%s: does not come out here as it was recorded, so that another machine, program or "
                   "library makes the difference; trace that update where it was made, and compare the "
                   "two traces",
                   a_repeats ? "" : bisection->a.path, a_repeats || b_repeats ? "" : " and ",
                   b_repeats ? "" : bisection->b.path);
}

sb_status sb_bisect_repeat(const sb_bisection *bisection, sb_bisect_side *side, bool *repeats)
{
    const int64_t last = bisection->parting.update;
    char path[SB_PATH_MAX], name[] = "a-run.h5";
    name[0] = side->letter;
    SB_OWNED(sb_h5_leave) sb_h5 *run = NULL;
    sb_links all;
    sb_bisect_path(bisection, name, path);
    SB_TRY(sb_bisect_train(bisection, &side->readback, last, true, path));
    SB_TRY(sb_h5_open(&run, path, SB_SEAL_RUNS));
    SB_TRY(sb_links_read(&all, run));
    *repeats = sb_links_part(&all, &side->links).update == 0;
    sb_links_free(&side->links);
    side->links = all;
    return SB_OK;
}

sb_status sb_bisect_evolve(const sb_bisection *bisection, const sb_readback *settings, const char *what,
                           sb_bisect_bits *got)
{
    char path[SB_PATH_MAX];
    SB_OWNED(sb_h5_leave) sb_h5 *run = NULL;
    SB_OWNED(sb_links_free) sb_links links = {0};
    *got = SB_BITS_OF_NEITHER;
    if (!bisection->options->quiet)
        fprintf(stderr, "bisect: trains %lld generations of %s again\n", (long long)bisection->parting.update, what);
    sb_bisect_path(bisection, "trial-run.h5", path);
    SB_TRY(sb_bisect_train(bisection, settings, bisection->parting.update, true, path));
    SB_TRY(sb_h5_open(&run, path, SB_SEAL_RUNS));
    SB_TRY(sb_links_read(&links, run));
    if (sb_links_part(&links, &bisection->a.links).update == 0)
        *got = SB_BITS_OF_A;
    else if (sb_links_part(&links, &bisection->b.links).update == 0)
        *got = SB_BITS_OF_B;
    return SB_OK;
}
