#include "inspect/bench/bench_parts.h"

#include "core/random.h"
#include "core/size.h"
#include "net/models.h"
#include "train/learner.h"

#include <stdlib.h>

/* ---- the input of an update ---- */

/* Noise, so that a GPU that computes with it is as busy as in a training; labels and tokens are 0. */
static void fill(uint8_t *bytes, sb_real *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t word = sb_random_words(1, 0, i).word[0];
        if (values)
            values[i] = (sb_real)word * (sb_real)0x1p-30 - 2;
        else
            bytes[i] = (uint8_t)word;
    }
}

/* Memory of a window; the caller frees it. NULL: not enough. */
static void *input_of(const sb_bench_path *p, const sb_data_shape *shape, sb_window *window)
{
    const bool is_text = p->network && sb_model_data_of(&p->setup) == SB_LEARNS_FROM_TEXT;
    const size_t n = (size_t)(p->network ? p->setup.batch : p->setup.window) + 1;
    const size_t of_sample = is_text ? (size_t)p->setup.context + 1 : (size_t)shape->c * shape->h * shape->w;
    const size_t size = p->network && !is_text ? sizeof(sb_real) : 1;
    uint8_t *memory = sb_size_allocate(n, of_sample * size + 1);
    *window = (sb_window){.n = (int)n - 1};
    if (!memory) return NULL;
    if (is_text) {
        window->tokens = memory;
    } else if (p->network) {
        fill(NULL, (sb_real *)memory, n * of_sample);
        window->values = (sb_real *)memory, window->labels = memory + n * of_sample * size;
    } else {
        fill(memory, NULL, n * of_sample);
        window->bytes = memory;
    }
    return memory;
}

/* ---- updates ---- */

static sb_status learn_twice(const sb_bench_path *p, sb_learner *learner, const sb_data_shape *shape)
{
    sb_window window;
    sb_step_result result;
    SB_FREED void *input = input_of(p, shape, &window);
    if (!input) return sb_fail(SB_E_MEMORY, "not enough memory for the input of a benchmark");
    SB_TRY(sb_learner_start(learner, (uint64_t)p->setup.seed, 0));
    for (long update = 1; update <= 2; update++)
        SB_TRY(sb_learner_update(learner, &window, update, SB_GRADIENT_DROPPED, &result));
    return SB_OK;
}

static sb_status fail_without_list(void)
{
    if (sb_gpu_one_by_one()) return sb_fail(SB_E_USAGE, "samebits bench: SAMEBITS_CUDA_SYNC makes no graph; unset it");
    return sb_fail(SB_E_USAGE, "samebits bench: an update of fewer than 32 kernels is not looked at");
}

sb_status sb_path_record(const sb_bench_path *p, sb_ops *ops, sb_path_look *look, void *context)
{
    const sb_data_shape shape = p->network ? p->network->data : (sb_data_shape){3, p->size.h, p->size.w, 0};
    sb_net *net;
    sb_learner learner;
    SB_TRY(sb_model_find(p->setup.model)->open(&net, ops, &p->setup, &shape));
    SB_TRY(sb_learner_open(&learner, net, &p->setup, NULL));
    sb_status status = learn_twice(p, &learner, &shape);
    if (status == SB_OK && !sb_gpu_last_list(ops)) status = fail_without_list();
    if (status == SB_OK) status = look(context, ops);
    sb_learner_close(&learner);
    return status;
}

/* ---- launches ---- */

sb_path_launch *sb_path_launches(const sb_command_list *list)
{
    sb_path_launch *launch = sb_size_allocate((size_t)list->n, sizeof *launch);
    size_t at = 0;
    sb_list_entry entry;
    for (int i = 0; launch && sb_command_list_next(list, &at, &entry); i++) {
        launch[i].kernel = sb_gpu_kernel_of(&entry, &launch[i].grid);
        launch[i].operation = entry.label->operation;
        sb_gpu_ranges(&entry, &launch[i].ranges);
    }
    return launch;
}
