/* The public interface of recordings: each call is a record of the journal, applied to what is in memory. */
#include "record/recording_parts.h"

#include "core/file.h"
#include "core/machine/clock.h"
#include "core/machine/environment.h"
#include "core/machine/version.h"
#include "core/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(SB_N_PARTS == (int)SB_PARTS && SB_GENERATOR == (int)SB_PART_GENERATOR, "the parts of samebits.h");

const char *sb_library_version(void)
{
    return sb_version();
}

sb_status sb_recording_fail_memory(const sb_recording *r)
{
    return sb_fail(SB_E_MEMORY, "%s: not enough memory", r->path);
}

sb_status sb_recording_put(sb_recording *r, sb_change change, const sb_bytes *b)
{
    if (b->failed) return sb_recording_fail_memory(r);
    SB_TRY(sb_record_journal_add(r->journal, r->all.n_records, change, b->at, b->n));
    if (!sb_external_apply(&r->all, change, b->at, b->n)) {
        (void)sb_record_journal_undo(r->journal);
        return sb_fail(SB_E_MEMORY, "%s: not enough memory, or a record of no sense", r->path);
    }
    r->all.n_records++;
    return SB_OK;
}

/* A text of the caller, plain and of a length that files can hold. */
static void add_clean_lines(sb_bytes *b, const char *text, bool lines)
{
    enum { MOST = 8000 }; /* U+FFFD is three bytes for one, and attributes hold 64 KiB */
    const size_t n = text ? strlen(text) : 0;
    char *clean = sb_text_clean(text ? text : "", n < MOST || lines ? n : MOST, lines);
    if (clean)
        sb_bytes_add_text(b, clean);
    else
        b->failed = true;
    free(clean);
}

static void add_clean(sb_bytes *b, const char *text)
{
    add_clean_lines(b, text, false);
}

static sb_status put_pair(sb_recording *r, sb_change change, const char *name, const char *value)
{
    SB_OWNED(sb_bytes_free) sb_bytes b = {0};
    if (!name || !*name || strlen(name) > 200 || strchr(name, '/'))
        return sb_fail(SB_E_USAGE, "%s: a name of 1 to 200 bytes without '/' is needed, not '%.200s'", r->path,
                       name ? name : "");
    add_clean(&b, name);
    add_clean(&b, value);
    return sb_recording_put(r, change, &b);
}

/* ---- opening ---- */

static sb_status put_facts(sb_recording *r)
{
    SB_FREED sb_facts *facts = calloc(1, sizeof *facts);
    if (!facts) return sb_recording_fail_memory(r);
    sb_facts_machine(facts);
    sb_environment_facts(facts);
    sb_facts_add(facts, "recorder_version", "%s", sb_version());
    for (int i = 0; i < facts->n; i++) SB_TRY(put_pair(r, SB_CHANGE_ENV, facts->fact[i].name, facts->fact[i].value));
    return SB_OK;
}

static sb_status put_head(sb_recording *r, const sb_recording_options *options)
{
    char date[32], every[32];
    sb_clock_date(date);
    snprintf(every, sizeof every, "%lld", (long long)(options->every > 0 ? options->every : 1));
    SB_TRY(put_pair(r, SB_CHANGE_META, "framework", options->program));
    SB_TRY(put_pair(r, SB_CHANGE_META, "recorder", sb_version()));
    SB_TRY(put_pair(r, SB_CHANGE_META, "hash", "XXH3-128; above 65536 bytes chunked"));
    SB_TRY(put_pair(r, SB_CHANGE_META, "every", every));
    SB_TRY(put_pair(r, SB_CHANGE_META, "written", date));
    SB_TRY(put_pair(r, SB_CHANGE_META, "incomplete", "the recording was not closed"));
    SB_TRY(put_facts(r));
    return sb_recording_event(r, "started");
}

/* What is at the path, and what its journal has in addition. */
static sb_status load(sb_recording *r)
{
    char sentence[64];
    if (sb_file_exists(r->path)) SB_TRY(sb_external_read(&r->all, r->path, true));
    SB_TRY(sb_record_journal_replay(r->journal, &r->all));
    if (r->all.n_records == 0) return SB_OK;
    r->all.complete = false;
    snprintf(sentence, sizeof sentence, SB_EVENT_RESUMED "%lld", (long long)sb_external_last(&r->all));
    SB_TRY(put_pair(r, SB_CHANGE_META, "incomplete", "the recording was not closed"));
    return sb_recording_event(r, sentence);
}

static sb_status begin(sb_recording *r, const sb_recording_options *options)
{
    bool was_there;
    SB_TRY(sb_file_check_output(r->path));
    if (!options->resume && sb_file_exists(r->path))
        return sb_fail(SB_E_USAGE, "%s: is there already; choose another path, remove it, or resume it", r->path);
    SB_TRY(sb_record_journal_open(&r->journal, r->path, &was_there));
    if (!options->resume && was_there)
        return sb_fail(SB_E_USAGE, "%s: a killed recording left its journal; resume it, or remove %s.journal", r->path,
                       r->path);
    r->is_new = !options->resume;
    if (options->resume) SB_TRY(load(r));
    if (r->all.n_records == 0) SB_TRY(put_head(r, options));
    r->clock = r->saved = sb_clock_seconds();
    return SB_OK;
}

/* Nothing is left of a recording that did not begin, but what was there before. */
static void give_up(sb_recording *r)
{
    sb_record_journal_close(r->journal, r->is_new);
    sb_external_free(&r->all);
    free(r);
}

sb_status sb_recording_open(sb_recording **recording, const char *path, const sb_recording_options *options)
{
    static const sb_recording_options defaults;
    *recording = NULL;
    if (!path || !*path || strlen(path) + sizeof ".journal" > SB_PATH_MAX)
        return sb_fail(SB_E_USAGE, "a recording needs a path of 1 to %zu bytes", SB_PATH_MAX - sizeof ".journal");
    sb_recording *r = calloc(1, sizeof *r);
    if (!r) return sb_fail(SB_E_MEMORY, "%s: not enough memory", path);
    if (!options) options = &defaults;
    strcpy(r->path, path);
    r->checkpoint_seconds = options->checkpoint_seconds > 0 ? options->checkpoint_seconds : 60;
    const sb_status status = begin(r, options);
    if (status == SB_OK)
        *recording = r;
    else
        give_up(r);
    return status;
}

/* ---- what is said of it ---- */

sb_status sb_recording_setting(sb_recording *r, const char *name, const char *value)
{
    return put_pair(r, SB_CHANGE_CONFIG, name, value);
}

sb_status sb_recording_fact(sb_recording *r, const char *name, const char *value)
{
    return put_pair(r, SB_CHANGE_ENV, name, value);
}

sb_status sb_recording_event(sb_recording *r, const char *sentence)
{
    char date[32];
    sb_bytes b = {0}, text = {0};
    sb_clock_date(date);
    sb_bytes_add(&text, date, strlen(date));
    sb_bytes_add(&text, " ", 1);
    sb_bytes_add(&text, sentence, strlen(sentence) + 1);
    add_clean(&b, text.failed ? NULL : (const char *)text.at);
    const sb_status status = sb_recording_put(r, SB_CHANGE_EVENT, &b);
    sb_bytes_free(&text);
    sb_bytes_free(&b);
    return status;
}

static bool begins_with(const sb_text_list *known, size_t n, const char *const *names)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(known->item[i], names[i]) != 0) return false;
    return true;
}

static bool is_same_list(const sb_text_list *known, size_t n, const char *const *names)
{
    return known->n == n && begins_with(known, n, names);
}

/* After a resume the first update may have fewer batches and steps than an earlier one. */
static bool may_be_fewer(sb_part part)
{
    return part == SB_BATCH || part == SB_GRADIENT;
}

sb_status sb_recording_names(sb_recording *r, sb_part part, size_t n, const char *const *names)
{
    SB_OWNED(sb_bytes_free) sb_bytes b = {0};
    if ((unsigned)part >= SB_N_PARTS) return sb_fail(SB_E_USAGE, "%s: no part %d", r->path, (int)part);
    const sb_text_list *known = &r->all.names[part];
    if (is_same_list(known, n, names)) return SB_OK;
    if (n < known->n && may_be_fewer(part) && begins_with(known, n, names)) return SB_OK;
    if (n < known->n || !is_same_list(known, known->n, names))
        return sb_fail(SB_E_USAGE,
                       "%s: other tensors of the part '%s' than before: %zu, where there were %zu; "
                       "a recording is of one network",
                       r->path, sb_part_words[part], n, known->n);
    sb_bytes_add_integer(&b, (int64_t)part);
    sb_bytes_add_integer(&b, (int64_t)n);
    for (size_t i = 0; i < n; i++) add_clean(&b, names[i]);
    return sb_recording_put(r, SB_CHANGE_NAMES, &b);
}

sb_status sb_recording_settings_at(sb_recording *r, int64_t update, const char *text)
{
    SB_OWNED(sb_bytes_free) sb_bytes b = {0};
    sb_bytes_add_integer(&b, update);
    add_clean_lines(&b, text, true);
    return sb_recording_put(r, SB_CHANGE_SETTINGS, &b);
}

sb_status sb_recording_report(sb_recording *r, const sb_report *report)
{
    SB_OWNED(sb_bytes_free) sb_bytes b = {0};
    sb_bytes_add_integer(&b, report->update);
    add_clean(&b, report->kind);
    add_clean(&b, report->operation);
    add_clean(&b, report->site);
    add_clean(&b, report->tensor);
    add_clean(&b, report->module);
    add_clean(&b, report->text);
    return sb_recording_put(r, SB_CHANGE_FOUND, &b);
}

/* ---- the end ---- */

sb_status sb_recording_incomplete(sb_recording *r, const char *reason)
{
    return put_pair(r, SB_CHANGE_META, "incomplete", reason);
}

sb_status sb_recording_checkpoint(sb_recording *r)
{
    r->saved = sb_clock_seconds();
    SB_TRY(sb_external_write(&r->all, r->path));
    return sb_record_journal_clear(r->journal);
}

static sb_status finish(sb_recording *r, bool complete)
{
    if (complete) SB_TRY(put_pair(r, SB_CHANGE_META, "incomplete", ""));
    SB_TRY(sb_recording_event(r, complete ? "finished" : "closed before its end"));
    r->all.complete = complete;
    return sb_external_write(&r->all, r->path);
}

sb_status sb_recording_close(sb_recording *r, bool complete)
{
    if (!r) return SB_OK;
    const sb_status status = finish(r, complete);
    sb_chain_link_free(&r->link);
    sb_record_journal_close(r->journal, status == SB_OK);
    sb_external_free(&r->all);
    free(r);
    return status;
}
