#include "ops/library/cudnn_parts.h"

#include "ops/library/library.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_cudnn_choice_name[SB_N_CUDNN_CHOICES] = {
#define ROW(ID, name, api, RULE, MIB) name,
    SB_CUDNN_CHOICES(ROW)
#undef ROW
};

static const sb_cudnn_choice_row choice_row[SB_N_CUDNN_CHOICES] = {
#define ROW(ID, name, api, RULE, MIB) {&sb_cudnn_api_##api, SB_CUDNN_RULE_##RULE, (size_t)(MIB) << 20},
    SB_CUDNN_CHOICES(ROW)
#undef ROW
};

static char started_version[32]; /* of the last one that started */

static void read_version(sb_cudnn *d)
{
    unsigned version = (unsigned)d->get_version(), major = version >= 90000 ? 10000 : 1000;
    snprintf(d->version, sizeof d->version, "%u.%u.%u", version / major, version % major / 100, version % 100);
}

/* ---- opening ---- */

#define AT(member) offsetof(sb_cudnn, member)
static const sb_cudnn_function library_functions[] = {
    {"cudnnGetVersion", AT(get_version)}, {"cudnnGetErrorString", AT(error_string)}, {"cudnnCreate", AT(create)},
    {"cudnnDestroy", AT(destroy)},        {"cudnnSetStream", AT(set_stream)},        {0}};

/* After the first n symbols; returns how many there are then. */
static int add_symbols(sb_cudnn *d, const sb_cudnn_function *function, sb_symbol *symbols, int n)
{
    for (; function->name; function++, n++)
        symbols[n] = (sb_symbol){function->name, (void (**)(void))((char *)d + function->member)};
    return n;
}

/* Opens the first that has what the choice needs and starts; start NULL: the first that opens. */
static sb_status load(sb_cudnn *d, sb_library_start *start)
{
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8", NULL};
    enum { SYMBOLS_MAX = 64 };
    sb_symbol symbols[SYMBOLS_MAX] = {{0}};
    int n = add_symbols(d, library_functions, symbols, 0);
    n = add_symbols(d, d->row.api->functions, symbols, n);
    assert(n < SYMBOLS_MAX);
    SB_TRY(sb_library_open(&d->library, "cuDNN", "SAMEBITS_CUDNN", names, symbols, start, d));
    read_version(d);
    return SB_OK;
}

/* Is the version, "8.9.6", the wanted one or a part of it: "8", "8.9", "8.9.6"? */
static bool is_wanted(const char *version, const char *wanted)
{
    if (!wanted || strcmp(wanted, "any") == 0) return true;
    size_t n = strlen(wanted);
    return strncmp(version, wanted, n) == 0 && (!version[n] || version[n] == '.');
}

static sb_status start(void *context)
{
    sb_cudnn *d = context;
    d->handle = NULL;
    read_version(d);
    if (!is_wanted(d->version, d->wanted))
        return sb_fail(SB_E_MISSING, "cuDNN %s is here, and --cudnn-version wants %.32s", d->version, d->wanted);
    int code = d->create(&d->handle);
    if (code != SB_CUDNN_SUCCESS) {
        d->handle = NULL;
        return sb_fail(SB_E_MISSING, "cuDNN %s does not start: %s", d->version, d->error_string(code));
    }
    code = d->set_stream(d->handle, d->stream);
    if (code != SB_CUDNN_SUCCESS) {
        d->destroy(d->handle);
        d->handle = NULL;
        return sb_fail(SB_E_MISSING, "cuDNN %s takes no stream: %s", d->version, d->error_string(code));
    }
    snprintf(started_version, sizeof started_version, "%s", d->version);
    return SB_OK;
}

static sb_cudnn *allocate(sb_cudnn_choice choice)
{
    sb_cudnn *d = calloc(1, sizeof *d);
    if (d) d->choice = choice, d->row = choice_row[choice];
    return d;
}

static sb_status open_started(sb_cudnn **dnn, void *stream, sb_cudnn_choice choice, const char *version)
{
    sb_cudnn *d = *dnn = allocate(choice);
    if (!d) return sb_fail(SB_E_MEMORY, "not enough memory for cuDNN");
    d->stream = stream, d->wanted = version;
    sb_status status = load(d, start);
    if (status == SB_OK) return SB_OK;
    free(d);
    *dnn = NULL;
    return status;
}

bool sb_cudnn_found(char *why, size_t size)
{
    sb_cudnn *d;
    bool found = open_started(&d, NULL, 0, NULL) == SB_OK;
    if (!found) snprintf(why, size, "%s", sb_message());
    sb_cudnn_close(d);
    return found;
}

bool sb_cudnn_found_version(char *version, size_t size)
{
    sb_cudnn *d = *started_version ? NULL : allocate(0);
    bool opens = d && load(d, NULL) == SB_OK;
    snprintf(version, size, "%s", d ? d->version : started_version);
    if (opens) sb_library_close(d->library);
    free(d);
    return opens || *started_version;
}

static sb_status find_choice(const char *name, sb_cudnn_choice *choice)
{
    for (*choice = 0; *choice < SB_N_CUDNN_CHOICES; (*choice)++)
        if (!name || strcmp(name, sb_cudnn_choice_name[*choice]) == 0) return SB_OK;
    return sb_fail(SB_E_USAGE, "unknown cudnn algorithm '%.32s' (one of %s)", name, SB_CUDNN_CHOICE_WORDS);
}

sb_status sb_cudnn_workspace(const char *choice, size_t *n_bytes)
{
    sb_cudnn_choice chosen;
    SB_TRY(find_choice(choice, &chosen));
    *n_bytes = choice_row[chosen].workspace;
    if (choice_row[chosen].rule == SB_CUDNN_RULE_TIMED) *n_bytes += SB_CUDNN_TRIAL;
    return SB_OK;
}

sb_status sb_cudnn_open_library(sb_cudnn **dnn, void *stream, void *workspace, const char *choice, const char *version,
                                bool tf32)
{
    sb_cudnn_choice chosen;
    *dnn = NULL;
    SB_TRY(find_choice(choice, &chosen));
    SB_TRY(sb_library_environment("cuDNN", tf32));
    SB_TRY(open_started(dnn, stream, chosen, version));
    (*dnn)->workspace = workspace, (*dnn)->tf32 = tf32;
    return SB_OK;
}

void sb_cudnn_close(sb_cudnn *dnn)
{
    if (!dnn) return;
    dnn->row.api->close(dnn);
    if (dnn->handle) dnn->destroy(dnn->handle);
    sb_library_close(dnn->library);
    free(dnn);
}

const char *sb_cudnn_version(const sb_cudnn *dnn)
{
    return dnn->version;
}

void sb_cudnn_wait_by(sb_cudnn *dnn, sb_cudnn_wait *wait, void *waiter)
{
    dnn->wait = wait, dnn->waiter = waiter;
}

/* "forward 1x6-192 160x120 A0 e12 34.5us" */
static int engine_text(const sb_cudnn_plan *p, char *text, size_t size)
{
    static const char *const works[SB_N_CUDNN_WORKS] = {"forward", "data", "weights"};
    const sb_cudnn_shape *s = &p->of.shape;
    char us[32] = "";
    if (p->us > 0) snprintf(us, sizeof us, " %.1fus", p->us);
    return snprintf(text, size, "%s %dx%d-%d %dx%d %c%d e%ld%s", works[p->of.work], s->n, s->in, s->out, s->w, s->h,
                    p->mode ? 'F' : 'A', p->place, p->engine, us);
}

void sb_cudnn_facts(const sb_cudnn *dnn, sb_facts *facts)
{
    char name[32] = "cudnn_engines", value[sizeof facts->fact[0].value] = "";
    size_t used = 0;
    const bool is_graph = dnn->row.api == &sb_cudnn_api_graph;
    for (int i = 0, n_facts = 1; is_graph && i < dnn->n_plans; i++) {
        char text[96];
        const size_t n = (size_t)engine_text(&dnn->plan[i], text, sizeof text);
        if (used + n + 3 > sizeof value) {
            sb_facts_add(facts, name, "%s", value);
            snprintf(name, sizeof name, "cudnn_engines_%d", ++n_facts);
            used = 0;
        }
        used += (size_t)snprintf(value + used, sizeof value - used, "%s%s", used ? "; " : "", text);
    }
    if (used) sb_facts_add(facts, name, "%s", value);
}

/* ---- convolutions ---- */

const char *sb_cudnn_convolve(sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape, const void *a,
                              const void *b, float beta, void *result)
{
    return dnn->row.api->convolve(dnn, work, shape, &(sb_cudnn_operands){a, b, beta, result});
}

const char *const sb_cudnn_work_name[SB_N_CUDNN_WORKS] = {"forward convolution", "data gradient", "weight gradient"};

/* Of 9 all from 3000 to 3999; of 8 NOT_SUPPORTED, ARCH_MISMATCH and RUNTIME_PREREQUISITE_MISSING. */
bool sb_cudnn_is_unsupported(const sb_cudnn *d, int code)
{
    return d->version[0] == '8' ? code == 9 || code == 6 || code == 11 : code / 1000 == 3;
}

const char *sb_cudnn_failed(sb_cudnn *d, const char *what, int code)
{
    snprintf(d->words, sizeof d->words, "cuDNN's %s gives %s", what, d->error_string(code));
    return d->words;
}

bool sb_cudnn_refused(const sb_cudnn *dnn, sb_cudnn_work work, const sb_cudnn_shape *shape)
{
    for (int i = 0; i < dnn->n_refused; i++)
        if (dnn->refused[i].work == work && memcmp(&dnn->refused[i].shape, shape, sizeof *shape) == 0) return true;
    return false;
}

const char *sb_cudnn_none_left(sb_cudnn *d, sb_cudnn_work work, const sb_cudnn_shape *shape)
{
    if (!sb_cudnn_refused(d, work, shape) && d->n_refused < SB_CUDNN_SHAPES_MAX)
        d->refused[d->n_refused++] = (sb_cudnn_refusal){*shape, work};
    snprintf(d->words, sizeof d->words, "cuDNN has no %s algorithm for the %s that works here within %zu MiB%s",
             sb_cudnn_choice_name[d->choice], sb_cudnn_work_name[work], d->row.workspace >> 20,
             d->tf32 ? "" : " without TF32");
    return d->words;
}
