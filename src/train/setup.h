/* Opens everything that a training needs, from its options: data set, backend, learner, data loader. */
#pragma once

#include "backend/backend.h"
#include "core/rows/setting.h"
#include "data/loader.h"
#include "io/dataset.h"
#include "net/models.h"
#include "train/learner.h"

typedef struct sb_setup {
    sb_settings *options; /* none of them auto; the setup's own */
    sb_ranks *ranks;      /* ranks that train together; NULL: one process */
    sb_dataset *dataset;
    sb_data_shape shape; /* of the network's input */
    sb_ops *ops;
    sb_learner learner;
    sb_loader *loader;
    bool is_read_only; /* nothing is learned */
} sb_setup;

/* Open everything and draw the initial weights. On failure nothing stays open. */
sb_status sb_setup_open(sb_setup *setup, const sb_settings *options);
sb_status sb_setup_open_read_only(sb_setup *setup, const sb_settings *options); /* nothing is learned */
void sb_setup_close(sb_setup *setup);

/* The same for one of several ranks, which stay the caller's and must outlive it. SB_E_USAGE: the settings are for
 * another number of ranks. */
sb_status sb_setup_open_among(sb_setup *setup, const sb_settings *options, sb_ranks *ranks);

/* For a thread that computes alone: open another backend of the same kind with one thread, and on it a network of the
 * same shape with the same frozen weights and running values. The caller closes both, also after a failure. Only for a
 * backend with host memory. */
sb_status sb_setup_open_twin(const sb_setup *setup, sb_ops **ops, sb_net **net);

/* Open a learner and a backend for a given shape of the data, without a data set (golden checks, benchmarks). */
sb_status sb_setup_open_net(sb_setup *setup, const sb_settings *options, const sb_data_shape *data);
