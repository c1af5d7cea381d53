/* same_h5 A B GROUP...: has B every data set of A with the same numbers, and every attribute of the groups? Times are
 * left out: what is called seconds or wait, or how long a queue was. Prints what differs. */
#include "io/h5/h5_attribute.h"
#include "io/h5/h5_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    sb_h5 *a, *b;
    const char *group;
    int n, n_different;
} pair;

static bool is_time(const char *name)
{
    return strstr(name, "seconds") || strstr(name, "wait") || strstr(name, "queue") || strncmp(name, "input/", 6) == 0;
}

static sb_status read(sb_h5 *file, const char *name, size_t *n, double **x)
{
    sb_h5_shape shape;
    *x = NULL;
    SB_TRY(sb_h5_shape_of(file, name, &shape));
    *n = shape.n;
    *x = calloc(shape.n + 1, sizeof **x);
    return sb_h5_read(file, name, SB_F64, shape.n, *x);
}

static sb_status compare_numbers(void *context, const char *name)
{
    pair *p = context;
    size_t n, m;
    double *x, *y = NULL;
    if (is_time(name)) return SB_OK;
    sb_status status = read(p->a, name, &n, &x);
    if (status == SB_OK) status = read(p->b, name, &m, &y);
    p->n++;
    if (status != SB_OK || n != m || memcmp(x, y, n * sizeof *x) != 0) {
        printf("/%s\n", name);
        p->n_different++;
    }
    free(x);
    free(y);
    return SB_OK;
}

static sb_status compare_attribute(void *context, const char *name)
{
    pair *p = context;
    char x[256], y[256] = "";
    if (is_time(name)) return SB_OK;
    SB_TRY(sb_h5_attribute_text(p->a, p->group, name, x, sizeof x));
    p->n++;
    if (sb_h5_attribute_text(p->b, p->group, name, y, sizeof y) == SB_OK && strcmp(x, y) == 0) return SB_OK;
    printf("/%s %s: %s | %s\n", p->group, name, x, y);
    p->n_different++;
    return SB_OK;
}

int main(int argc, char **argv)
{
    pair p = {0};
    if (argc < 3) return 2;
    sb_status status = sb_h5_open(&p.a, argv[1], SB_SEAL_ANY);
    if (status == SB_OK) status = sb_h5_open(&p.b, argv[2], SB_SEAL_ANY);
    if (status == SB_OK) status = sb_h5_each_dataset(p.a, "", compare_numbers, &p);
    for (int i = 3; i < argc && status == SB_OK; i++) {
        p.group = argv[i];
        status = sb_h5_each_attribute(p.a, p.group, compare_attribute, &p);
    }
    if (status != SB_OK) fprintf(stderr, "%s\n", sb_message());
    printf("%d of %d the same\n", p.n - p.n_different, p.n);
    sb_h5_close(p.b);
    sb_h5_close(p.a);
    return status != SB_OK || p.n == 0 || p.n_different > 0;
}
