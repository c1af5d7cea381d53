/* From options to an open experiment: data set, backend, learner, data loader. */
#ifndef SB_TRAIN_SETUP_H
#define SB_TRAIN_SETUP_H

#include "backend/backend.h"
#include "core/rows/setting.h"
#include "data/loader.h"
#include "io/dataset.h"
#include "net/models.h"
#include "train/learner.h"

typedef struct sb_setup {
    sb_settings *options; /* none of them auto; the setup's own */
    sb_ranks *ranks;      /* that train together; NULL: one process */
    sb_dataset *dataset;
    sb_data_shape shape; /* what the network sees */
    sb_ops *ops;
    sb_learner learner;
    sb_loader *loader;
} sb_setup;

/* Open everything and draw the start weights. On failure nothing stays open. */
sb_status sb_setup_open(sb_setup *setup, const sb_settings *options);
void sb_setup_close(sb_setup *setup);

/* The same for one of several ranks, which stay the caller's and must outlive it. SB_E_USAGE: the settings are for
 * another number of them. */
sb_status sb_setup_open_among(sb_setup *setup, const sb_settings *options, sb_ranks *ranks);

/* Another backend of the same kind with one thread, and a network of the same form on it with the same frozen weights
 * and running values, for a thread that computes by itself; the caller closes both, also after a failure. Only of a
 * backend in the host's memory. */
sb_status sb_setup_open_twin(const sb_setup *setup, sb_ops **ops, sb_net **net);

/* A learner and backend for a known shape of the data, without data (golden checks, benchmarks). */
sb_status sb_setup_open_net(sb_setup *setup, const sb_settings *options, const sb_data_shape *data);

#endif
