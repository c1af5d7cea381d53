#include "datasets/convert/convert.h"

#include <stdio.h>

enum { NAMED_MOST = 10 };

sb_labels sb_labels_count(const uint8_t *label, size_t n)
{
    sb_labels labels = {0};
    for (size_t i = 0; i < n; i++) {
        labels.n_classes += labels.n_images[label[i]]++ == 0;
        if (label[i] >= labels.n_numbers) labels.n_numbers = label[i] + 1;
    }
    return labels;
}

void sb_labels_say_empty(const sb_labels *labels, int n_numbers, const char *path, const char *what)
{
    int n = 0;
    for (int i = 0; i < n_numbers; i++) {
        if (labels->n_images[i]) continue;
        if (n == 0) fprintf(stderr, "%s: no %s image of class ", path, what);
        if (n < NAMED_MOST) fprintf(stderr, "%s%d", n ? ", " : "", i);
        n++;
    }
    if (n > NAMED_MOST) fprintf(stderr, " and %d more", n - NAMED_MOST);
    if (n) fprintf(stderr, "\n");
}
