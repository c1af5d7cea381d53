/* near_h5 START A B TOLERANCE: runs that made one step from START. Is every number of each tensor of B as far from A's
 * as TOLERANCE times A's largest step in that tensor, at most? Prints the largest share there is, and where. */
#include "io/h5/h5_walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct three {
    sb_h5 *start, *a, *b;
    double largest; /* of a distance, by the largest step */
    char where[96];
} three;

static sb_status read(sb_h5 *file, const char *name, size_t *n, double **x)
{
    sb_h5_shape shape;
    char path[128];
    snprintf(path, sizeof path, "param/%s", name);
    SB_TRY(sb_h5_shape_of(file, path, &shape));
    *n = shape.n;
    *x = calloc(shape.n + 1, sizeof **x);
    return sb_h5_read(file, path, SB_F64, shape.n, *x);
}

static sb_status compare(void *context, const char *name)
{
    three *t = context;
    size_t n = 0;
    double *start = NULL, *a = NULL, *b = NULL, step = 0, apart = 0;
    sb_status status = read(t->start, name, &n, &start);
    if (status == SB_OK) status = read(t->a, name, &n, &a);
    if (status == SB_OK) status = read(t->b, name, &n, &b);
    for (size_t i = 0; status == SB_OK && i < n; i++) {
        step = fmax(step, fabs(a[i] - start[i]));
        apart = fmax(apart, fabs(a[i] - b[i]));
    }
    const double share = apart > 0 ? apart / step : 0;
    if (share > t->largest) {
        t->largest = share;
        snprintf(t->where, sizeof t->where, "%s", name);
    }
    free(start);
    free(a);
    free(b);
    return status;
}

int main(int argc, char **argv)
{
    three t = {0};
    if (argc != 5) return 2;
    sb_status status = sb_h5_open(&t.start, argv[1], SB_SEAL_ANY);
    if (status == SB_OK) status = sb_h5_open(&t.a, argv[2], SB_SEAL_ANY);
    if (status == SB_OK) status = sb_h5_open(&t.b, argv[3], SB_SEAL_ANY);
    if (status == SB_OK) status = sb_h5_each_dataset(t.a, "param", compare, &t);
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    printf("%.2g of the largest step%s%s\n", t.largest, *t.where ? ", in " : "", t.where);
    sb_h5_close(t.b);
    sb_h5_close(t.a);
    sb_h5_close(t.start);
    return status != SB_OK || !(t.largest <= strtod(argv[4], NULL));
}
