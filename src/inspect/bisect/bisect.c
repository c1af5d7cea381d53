#include "inspect/bisect/bisect_parts.h"

#include "core/machine/interrupt.h"
#include "io/dataset.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- before anything is trained ---- */

/* Of two kinds of networks no operation is one of the other. */
static sb_status check_networks(const sb_bisection *bisection)
{
    const char *key = sb_settings_table[SB_SETTING_MODEL].key;
    const char *a = sb_readback_value(&bisection->a.readback, key), *b = sb_readback_value(&bisection->b.readback, key);
    if (a && b && strcmp(a, b) == 0) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s and %s: not the same network: %s is '%s' and '%s'", bisection->a.path,
                   bisection->b.path, key, a ? a : "", b ? b : "");
}

/* Generations and updates have nothing in common. */
static sb_status check_gradients(const sb_bisection *bisection)
{
    const bool a = bisection->a.links.is_of_generations, b = bisection->b.links.is_of_generations;
    if (a == b) return SB_OK;
    return sb_fail(SB_E_USAGE, "%s: a run without gradients, and %s has them: a generation is no update of the other",
                   a ? bisection->a.path : bisection->b.path, a ? bisection->b.path : bisection->a.path);
}

/* The folder that was asked for, or one that goes when all is said. */
static sb_status make_folder(sb_bisection *bisection)
{
    if (bisection->options->folder) {
        snprintf(bisection->folder, sizeof bisection->folder, "%s", bisection->options->folder);
        return sb_folder_make(bisection->folder);
    }
    char why[SB_PATH_MAX];
    if (sb_folder_temporary(bisection->folder, sizeof bisection->folder) == SB_OK) return SB_OK;
    snprintf(why, sizeof why, "%s", sb_message());
    return sb_fail(SB_E_IO, "%s; say where with -o DIR", why);
}

static void remove_folder(const sb_bisection *bisection)
{
    if (!bisection->options->folder && *bisection->folder) sb_folder_remove(bisection->folder);
}

/* ---- the update ---- */

/* If the chain has an entry only every many updates, find the exact update. */
static sb_status find_update(sb_bisection *bisection)
{
    bool a_repeats, b_repeats;
    bisection->parting = sb_links_part(&bisection->a.links, &bisection->b.links);
    sb_parting *p = &bisection->parting;
    if (p->compared == 0)
        return sb_fail(SB_E_EMPTY, "%s and %s: no logged update in common", bisection->a.path, bisection->b.path);
    if (p->update == 0 || p->update == p->same + 1) return SB_OK;
    fprintf(bisection->out, "the runs have no entry between update %lld, the same, and %lld: trained again, with all\n",
            (long long)p->same, (long long)p->update);
    SB_TRY(sb_bisect_repeat(bisection, &bisection->a, &a_repeats));
    SB_TRY(sb_bisect_repeat(bisection, &bisection->b, &b_repeats));
    if (!a_repeats || !b_repeats) return sb_bisect_other_machine(bisection, a_repeats, b_repeats);
    *p = sb_links_part(&bisection->a.links, &bisection->b.links);
    return SB_OK;
}

/* What both were before that update. */
static sb_status make_start(sb_bisection *bisection)
{
    const int64_t before = bisection->parting.update - 1;
    if (before == 0) return SB_OK;
    sb_bisect_path(bisection, "start.h5", bisection->start);
    return sb_bisect_train(bisection, &bisection->a.readback, before, false, bisection->start);
}

/* ---- the operation ---- */

/* Does the side come out here as it was recorded? */
static bool repeats(const sb_bisection *bisection, const sb_bisect_side *side)
{
    size_t i;
    if (!sb_links_find(&side->links, bisection->parting.update, &i)) return false;
    return sb_hash_equal(side->links.hash[SB_LINK_GRADIENT][i], side->traced.gradient) &&
           sb_hash_equal(side->links.hash[SB_LINK_WEIGHTS][i], side->traced.weights);
}

static sb_status trace_sides(sb_bisection *bisection, long keep)
{
    SB_TRY(sb_bisect_trace(bisection, &bisection->a.readback, keep, "a", &bisection->a.traced));
    return sb_bisect_trace(bisection, &bisection->b.readback, keep, "b", &bisection->b.traced);
}

static void note(sb_bisect_facts *facts, const sb_divergence *found, const sb_traced *a, const sb_traced *b)
{
    static const char *const kinds[] = {
        [SB_SAME_BITS] = "same bits",
        [SB_OTHER_RESULT] = "other result",
        [SB_OTHER_INPUT] = "other input",
        [SB_OTHER_OPERATION] = "other operation",
    };
    facts->kind = kinds[found->kind];
    facts->n_operations = a->n;
    if (found->kind == SB_SAME_BITS) return;
    facts->update = a->update;
    facts->number = found->row + 1;
    if (found->row < a->n || found->row < b->n)
        sb_divergence_operation(&(found->row < a->n ? a : b)->row[found->row], facts->operation,
                                sizeof facts->operation);
}

static sb_status explain_update(sb_bisection *bisection)
{
    SB_TRY(trace_sides(bisection, SB_TRACE_HASHES));
    const bool a_repeats = repeats(bisection, &bisection->a), b_repeats = repeats(bisection, &bisection->b);
    if (!a_repeats || !b_repeats) return sb_bisect_other_machine(bisection, a_repeats, b_repeats);
    sb_divergence found = sb_divergence_find(&bisection->a.traced, &bisection->b.traced);
    note(bisection->facts, &found, &bisection->a.traced, &bisection->b.traced);
    if (found.kind == SB_OTHER_INPUT || found.kind == SB_OTHER_RESULT) SB_TRY(trace_sides(bisection, (long)found.row));
    sb_divergence_print(&found, &bisection->a.traced, &bisection->b.traced, bisection->out);
    return sb_bisect_causes(bisection);
}

static sb_status bisect(sb_bisection *bisection)
{
    const sb_parting *p = &bisection->parting;
    SB_TRY(check_networks(bisection));
    SB_TRY(check_gradients(bisection));
    SB_TRY(make_folder(bisection));
    SB_TRY(find_update(bisection));
    if (p->update == 0) {
        fprintf(bisection->out, "same bits over %zu entr%s, up to update %lld\n", p->compared,
                p->compared == 1 ? "y" : "ies", (long long)p->last);
        return SB_OK;
    }
    bisection->facts->update = p->update;
    bisection->facts->part = p->name;
    fprintf(bisection->out, "first difference: update %lld, %s\n", (long long)p->update, p->name);
    fflush(bisection->out);
    if (bisection->a.links.is_of_generations) {
        SB_TRY(sb_bisect_generations(bisection));
    } else {
        SB_TRY(make_start(bisection));
        SB_TRY(explain_update(bisection));
    }
    return sb_fail(SB_E_DIFFERS, "%s and %s differ from update %lld on (%s)", bisection->a.path, bisection->b.path,
                   (long long)p->update, p->name);
}

sb_status sb_bisect_runs(const char *path_a, const char *path_b, const sb_bisect_options *options,
                         sb_bisect_facts *facts, FILE *out)
{
    char digest[SB_HASH_TEXT];
    SB_FREED sb_bisection *bisection = calloc(1, sizeof *bisection);
    if (!bisection) return sb_fail(SB_E_MEMORY, "not enough memory");
    bisection->options = options;
    bisection->facts = facts;
    bisection->out = out;
    sb_interrupt_catch(); /* so that the folder goes, too */
    sb_status status = sb_bisect_side_open(&bisection->a, 'a', path_a);
    if (status == SB_OK) status = sb_bisect_side_open(&bisection->b, 'b', path_b);
    if (status == SB_OK) status = sb_dataset_digest_file(options->data, digest);
    if (status == SB_OK) status = sb_readback_check_data(bisection->a.run, options->data, digest);
    if (status == SB_OK) status = sb_readback_check_data(bisection->b.run, options->data, digest);
    if (status == SB_OK) status = bisect(bisection);
    remove_folder(bisection);
    sb_bisect_side_close(&bisection->a);
    sb_bisect_side_close(&bisection->b);
    return status;
}

sb_status sb_bisect_traces(const char *path_a, const char *path_b, sb_bisect_facts *facts, FILE *out)
{
    SB_OWNED(sb_traced_free) sb_traced a = {0}, b = {0};
    SB_TRY(sb_trace_read(&a, path_a));
    SB_TRY(sb_trace_read(&b, path_b));
    if (a.update != b.update)
        return sb_fail(SB_E_USAGE, "%s and %s: traces of two updates, %lld and %lld", path_a, path_b,
                       (long long)a.update, (long long)b.update);
    const sb_divergence found = sb_divergence_find(&a, &b);
    note(facts, &found, &a, &b);
    sb_divergence_print(&found, &a, &b, out);
    if (found.kind == SB_SAME_BITS) return SB_OK;
    return sb_fail(SB_E_DIFFERS, "%s and %s differ from operation %zu on%s", path_a, path_b, found.row + 1,
                   found.kind == SB_OTHER_OPERATION ? "" : "; --keep of that number less one keeps its numbers");
}
