#include "record/external.h"

#include <stdlib.h>
#include <string.h>

static bool says(const char *event, const char *what, int64_t update)
{
    const char *at = strstr(event, what);
    return at && strtoll(at + strlen(what), NULL, 10) == update;
}

/* Did a process go on after that update? */
static bool is_resumed_after(const sb_external *e, int64_t update)
{
    for (size_t i = 0; i < e->events.n; i++)
        if (says(e->events.item[i], SB_EVENT_RESUMED, update) || says(e->events.item[i], SB_EVENT_WENT_ON, update))
            return true;
    return false;
}

bool sb_external_is_drawn(const sb_external *e, size_t generator)
{
    enum { PART = SB_PART_GENERATOR };
    const sb_chain_link *before = NULL;
    for (size_t k = 0; k < e->n_links; k++) {
        const sb_chain_link *link = &e->link[k];
        if (!link->tensor[PART] || generator >= link->n[PART]) continue;
        if (before && !is_resumed_after(e, before->update) &&
            !sb_hash_equal(before->tensor[PART][generator], link->tensor[PART][generator]))
            return true;
        before = link;
    }
    return false;
}
