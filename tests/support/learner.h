/* A learner for a network that a test has opened: the default optimizer at the default rate. */
#pragma once

#include "train/learner.h"

/* Fails the test where it does not open, or the network did not. */
static inline sb_learner test_learner(sb_status opened, sb_net *net, uint64_t seed)
{
    static sb_settings settings;
    sb_learner learner = {0};
    sb_settings_default(&settings);
    if (opened != SB_OK || sb_learner_open(&learner, net, &settings, NULL) != SB_OK ||
        sb_learner_start(&learner, seed, 0) != SB_OK)
        fail_msg("%s", sb_message());
    return learner;
}
