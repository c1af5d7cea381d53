/* Entries of a recording: begun, filled, ended; or compared with the one that is there, after a resume. */
#include "record/recording_parts.h"

#include "core/machine/clock.h"
#include "core/size.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TENSORS_MOST = 1 << 24 };

static const sb_hash none;

static sb_status need_link(const sb_recording *r)
{
    return r->in_link ? SB_OK : sb_fail(SB_E_USAGE, "%s: no link is begun", r->path);
}

sb_status sb_link_begin(sb_recording *r, int64_t update)
{
    if (update < 0) return sb_fail(SB_E_USAGE, "%s: updates begin with 0, not %lld", r->path, (long long)update);
    sb_chain_link_free(&r->link);
    memset(r->room, 0, sizeof r->room);
    r->forms_room = 0;
    r->link.update = update;
    r->link.absent = (1u << SB_PARTS) - 1;
    r->in_link = true;
    return SB_OK;
}

/* Room for the tensor of that number; those before it that were not given are of zeros. */
static bool make_room(sb_hash **list, size_t *room, size_t index)
{
    return sb_size_reserve(list, room, index + 1, sizeof **list);
}

sb_status sb_link_hash(sb_recording *r, sb_part part, int32_t index, sb_hash hash)
{
    SB_TRY(need_link(r));
    if ((unsigned)part >= SB_N_PARTS || index < 0 || index >= TENSORS_MOST)
        return sb_fail(SB_E_USAGE, "%s: no tensor %d of part %d", r->path, (int)index, (int)part);
    if (sb_hash_equal(hash, none)) return SB_OK; /* of no tensor */
    if (!make_room(&r->link.tensor[part], &r->room[part], (size_t)index)) return sb_recording_fail_memory(r);
    r->link.tensor[part][index] = hash;
    if ((size_t)index >= r->link.n[part]) r->link.n[part] = (size_t)index + 1;
    r->link.absent &= ~(1u << part);
    return SB_OK;
}

sb_status sb_link_tensor(sb_recording *r, sb_part part, int32_t index, const sb_view *view)
{
    const sb_hash hash = sb_view_hash(view);
    if (sb_hash_equal(hash, none)) return sb_fail(SB_E_USAGE, "%s: %.400s", r->path, sb_message());
    SB_TRY(sb_link_hash(r, part, index, hash));
    return part == SB_BATCH ? sb_link_forms(r, index, sb_view_canonical(view), sb_view_samples(view)) : SB_OK;
}

sb_status sb_link_forms(sb_recording *r, int32_t index, sb_hash canonical, sb_hash samples)
{
    SB_TRY(need_link(r));
    if (index < 0 || (size_t)index >= r->link.n[SB_BATCH])
        return sb_fail(SB_E_USAGE, "%s: no tensor %d of the batch was given", r->path, (int)index);
    size_t room = r->forms_room;
    if (!make_room(&r->link.canonical, &r->forms_room, (size_t)index)) return sb_recording_fail_memory(r);
    if (!make_room(&r->link.samples, &room, (size_t)index)) return sb_recording_fail_memory(r);
    r->link.canonical[index] = canonical;
    r->link.samples[index] = samples;
    return SB_OK;
}

static sb_status column_of(sb_recording *r, const char *column, size_t *c)
{
    for (*c = 0; *c < r->all.columns.n; ++*c)
        if (strcmp(r->all.columns.item[*c], column) == 0) return SB_OK;
    if (!sb_external_may_add_column(&r->all, column))
        return sb_fail(SB_E_USAGE, "%s: '%.80s' is no name of a column: letters, digits, '.', '_' and '-', and neither "
                       "'update' nor 'seconds'", r->path, column);
    SB_OWNED(sb_bytes_free) sb_bytes b = {0};
    sb_bytes_add_text(&b, column);
    return sb_recording_put(r, SB_CHANGE_COLUMN, &b);
}

sb_status sb_link_value(sb_recording *r, const char *column, double value)
{
    size_t c;
    SB_TRY(need_link(r));
    SB_TRY(column_of(r, column, &c));
    if (c >= r->link.n_values) {
        double *more = sb_size_grow(r->link.value, c + 1, sizeof *more);
        if (!more) return sb_recording_fail_memory(r);
        for (size_t i = r->link.n_values; i <= c; i++) more[i] = NAN;
        r->link.value = more;
        r->link.n_values = c + 1;
    }
    r->link.value[c] = value;
    return SB_OK;
}

/* A batch whose hashes came without forms has forms of zeros. */
static sb_status fill_forms(sb_recording *r)
{
    sb_chain_link *link = &r->link;
    if (!link->canonical || link->n[SB_BATCH] == 0) return SB_OK;
    size_t room = r->forms_room;
    if (!make_room(&link->canonical, &r->forms_room, link->n[SB_BATCH] - 1) ||
        !make_room(&link->samples, &room, link->n[SB_BATCH] - 1))
        return sb_recording_fail_memory(r);
    return SB_OK;
}

sb_status sb_link_end(sb_recording *r)
{
    sb_bytes b = {0};
    SB_TRY(need_link(r));
    if (r->link.update <= sb_external_last(&r->all))
        return sb_fail(SB_E_USAGE, "%s: update %lld after update %lld: updates ascend", r->path,
                       (long long)r->link.update, (long long)sb_external_last(&r->all));
    SB_TRY(fill_forms(r));
    const double now = sb_clock_seconds();
    const bool is_first = r->all.n_links == 0;
    r->link.seconds = now - r->clock;
    sb_external_put_link(&b, &r->link);
    const sb_status status = sb_recording_put(r, SB_CHANGE_LINK, &b);
    sb_bytes_free(&b);
    if (status != SB_OK) return status;
    r->in_link = false;
    r->clock = now;
    if (!is_first && now - r->saved < r->checkpoint_seconds) return SB_OK;
    return sb_recording_checkpoint(r);
}

/* ---- after a resume ---- */

int64_t sb_recording_last(const sb_recording *r)
{
    return sb_external_last(&r->all);
}

/* The hash of a part of the entry that was begun. */
static sb_hash part_of(const sb_recording *r, int part)
{
    if (r->link.absent >> part & 1) return none;
    return sb_hash_list(r->link.tensor[part], r->link.n[part]);
}

int64_t sb_recording_where(const sb_recording *r)
{
    const sb_hash weights = part_of(r, SB_WEIGHTS);
    if (!r->in_link) return -1;
    for (size_t i = r->all.n_links; i--;)
        if (sb_hash_equal(r->all.link[i].part[SB_WEIGHTS], weights)) return r->all.link[i].update;
    return -1;
}

/* Is one of the generators that the training draws from another one? */
static bool other_generator(const sb_recording *r, const sb_chain_link *there)
{
    enum { PART = SB_GENERATOR };
    const size_t n = r->link.n[PART] < there->n[PART] ? r->link.n[PART] : there->n[PART];
    for (size_t i = 0; there->tensor[PART] && i < n; i++)
        if (sb_external_is_drawn(&r->all, i) && !sb_hash_equal(r->link.tensor[PART][i], there->tensor[PART][i])) return true;
    return false;
}

static bool other_part(const sb_recording *r, const sb_chain_link *there, int part)
{
    if ((r->link.absent ^ there->absent) >> part & 1) return true;
    if (sb_hash_equal(part_of(r, part), there->part[part])) return false;
    return part != SB_GENERATOR || other_generator(r, there);
}

static const int resumed_parts[] = {SB_WEIGHTS, SB_OPTIMISER, SB_STATE, SB_GENERATOR};
enum { N_RESUMED = sizeof resumed_parts / sizeof *resumed_parts };

/* The first tensor of a part that differs; "" where that is not known. */
static const char *first_other(const sb_recording *r, const sb_chain_link *there, int part)
{
    const sb_text_list *names = &r->all.names[part];
    const size_t n = r->link.n[part] > there->n[part] ? r->link.n[part] : there->n[part];
    if (!there->tensor[part]) return "";
    for (size_t i = 0; i < n && i < names->n; i++) {
        if (part == SB_GENERATOR && !sb_external_is_drawn(&r->all, i)) continue;
        if (i >= r->link.n[part] || i >= there->n[part] ||
            !sb_hash_equal(r->link.tensor[part][i], there->tensor[part][i]))
            return names->item[i];
    }
    return "";
}

static sb_status tell(sb_recording *r, const sb_chain_link *there, unsigned parts)
{
    for (int i = 0; i < N_RESUMED; i++) {
        char text[256];
        const int part = resumed_parts[i];
        if (!(parts >> part & 1)) continue;
        snprintf(text, sizeof text, "the run " SB_EVENT_WENT_ON "%lld with another %s than it had recorded then%s",
                 (long long)there->update, sb_part_words[part], r->link.absent >> part & 1 ? ": it has none now" : "");
        const sb_report report = {there->update + 1, "resumed otherwise", "", "", first_other(r, there, part), "", text};
        SB_TRY(sb_recording_report(r, &report));
        SB_TRY(sb_recording_event(r, text));
    }
    return SB_OK;
}

static sb_status cut(sb_recording *r, int64_t update)
{
    char sentence[64];
    sb_bytes b = {0};
    if (update == sb_external_last(&r->all)) return SB_OK;
    sb_bytes_add_integer(&b, update);
    const sb_status status = sb_recording_put(r, SB_CHANGE_CUT, &b);
    sb_bytes_free(&b);
    snprintf(sentence, sizeof sentence, SB_EVENT_WENT_ON "%lld", (long long)update);
    return status == SB_OK ? sb_recording_event(r, sentence) : status;
}

sb_status sb_recording_resumed(sb_recording *r, int64_t update, unsigned *parts)
{
    *parts = 0;
    SB_TRY(need_link(r));
    SB_TRY(cut(r, update));
    const sb_chain_link *there = sb_external_link(&r->all, update);
    if (!there) return sb_fail(SB_E_EMPTY, "%s: no link of update %lld", r->path, (long long)update);
    for (int i = 0; i < N_RESUMED; i++) {
        const int part = resumed_parts[i];
        if (other_part(r, there, part)) *parts |= 1u << part;
    }
    r->in_link = false;
    r->clock = sb_clock_seconds();
    if (!*parts) return SB_OK;
    SB_TRY(tell(r, there, *parts));
    return sb_fail(SB_E_DIFFERS, "%s: the run goes on from something else than update %lld left", r->path,
                   (long long)update);
}
