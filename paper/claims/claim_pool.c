#include "paper/claims/claims.h"
#include "paper/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the table of effects -- */

static const sb_result *find_seed(const sb_arm *arm, long seed)
{
    for (size_t i = 0; i < arm->n; i++)
        if (arm->cell[i]->seed == seed) return arm->cell[i];
    return NULL;
}

/* The value of the start on one side less that on the other; NAN: one of them has no such run, or no ratio. */
static double effect_of(const sb_finding *part, long seed, sb_metric metric)
{
    const sb_result *of = find_seed(part->of, seed), *over = find_seed(part->over, seed);
    const double effect = of && over ? sb_result_value(of, metric) - sb_result_value(over, metric) : NAN;
    return isfinite(effect) ? effect : NAN;
}

static int compare_seeds(const void *left, const void *right)
{
    const long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

/* The seeds of which a part has a pair, ascending: seed [runs of all parts]; returns how many. */
static size_t list_seeds(const sb_finding *part, size_t n, long *seed)
{
    size_t n_all = 0, n_seeds = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < part[i].of->n; k++)
            if (find_seed(part[i].over, part[i].of->cell[k]->seed)) seed[n_all++] = part[i].of->cell[k]->seed;
    qsort(seed, n_all, sizeof *seed, compare_seeds);
    for (size_t i = 0; i < n_all; i++)
        if (n_seeds == 0 || seed[i] != seed[n_seeds - 1]) seed[n_seeds++] = seed[i];
    return n_seeds;
}

/* n parts and every start of which one of them has a pair. */
static sb_status cross(const sb_finding *part, size_t n, sb_metric metric, sb_crossed *crossed)
{
    size_t room = 1;
    for (size_t i = 0; i < n; i++) room += part[i].of->n;
    SB_FREED long *seed = malloc(room * sizeof *seed);
    const size_t n_starts = seed ? list_seeds(part, n, seed) : 0;
    SB_FREED double *effect = malloc((n * n_starts + 1) * sizeof *effect);
    for (size_t d = 0; seed && effect && d < n; d++)
        for (size_t s = 0; s < n_starts; s++) effect[d * n_starts + s] = effect_of(&part[d], seed[s], metric);
    if (seed && effect) *crossed = sb_crossed_of(effect, n, n_starts);
    return seed && effect ? SB_OK : sb_fail(SB_E_MEMORY, "not enough memory for %zu data sets", n);
}

/* Its mean effect over the starts of its pairs is above 0; 0 or NAN is not. */
static bool is_above(const sb_finding *part, sb_metric metric)
{
    double sum = 0;
    for (size_t k = 0; k < part->of->n; k++) {
        const double effect = effect_of(part, part->of->cell[k]->seed, metric);
        if (!isnan(effect)) sum += effect;
    }
    return sum > 0;
}

sb_status sb_claim_pool_judge(sb_claim_pool *pool, const sb_finding *part, size_t n, sb_metric metric)
{
    SB_TRY(cross(part, n, metric, &pool->effects));
    pool->n = n;
    pool->n_above = 0;
    for (size_t i = 0; i < n; i++) pool->n_above += is_above(&part[i], metric);
    pool->ratio = exp(pool->effects.mean);
    pool->low = exp(pool->effects.low), pool->high = exp(pool->effects.high);
    pool->new_low = exp(pool->effects.new_low), pool->new_high = exp(pool->effects.new_high);
    return SB_OK;
}

sb_status sb_claim_pool_orders(sb_claim_pool *pool, const sb_finding *part, size_t n, sb_metric metric)
{
    return n > 1 ? cross(part, n, metric, &pool->orders) : SB_OK;
}

/* -- what varies the effect -- */

size_t sb_claim_pool_rows(const sb_claim_pool *pool, sb_pool_row row[SB_POOL_ROWS])
{
    const sb_crossed *e = &pool->effects, *o = &pool->orders;
    const double variance = e->start.sd * e->start.sd + e->data.sd * e->data.sd + e->rest.sd * e->rest.sd;
    const bool orders = o->n_data > 1 && !isnan(o->data.sd);
    const double of_video = orders ? sqrt(fmax(e->data.sd * e->data.sd - o->data.sd * o->data.sd, 0)) : NAN;
    size_t n = 0;
    row[n++] = (sb_pool_row){
        "start",
        e->n_starts,
        e->start.df,
        e->start.sd,
        0,
        "of the seeds: sqrt((mean square of seeds - mean square of the rest) / data sets), 0 where negative"};
    row[n++] = (sb_pool_row){
        "data",
        e->n_data,
        e->data.df,
        e->data.sd,
        0,
        "of the data sets: sqrt((mean square of data sets - mean square of the rest) / seeds), 0 where negative"};
    if (orders) {
        row[n++] =
            (sb_pool_row){"video",  0, NAN,
                          of_video, 0, "of the videos: square root of the variance of data sets less that of orders"};
        row[n++] = (sb_pool_row){"order",    o->n_data, o->data.df,
                                 o->data.sd, 0,         "of the orders of one video, as that of data sets"};
    }
    row[n++] = (sb_pool_row){"rest",     e->n, e->rest.df,
                             e->rest.sd, 0,    "of what neither data set nor seed explains: root of its mean square"};
    for (size_t i = 0; i < n; i++) row[i].share = row[i].sd * row[i].sd / variance;
    return n;
}

bool sb_claim_pool_text(const sb_claim_pool *pool, char text[SB_POOL_TEXT])
{
    sb_pool_row row[SB_POOL_ROWS];
    size_t used = 0;
    *text = 0;
    if (pool->n == 0 || isnan(pool->ratio)) return false;
    const size_t n = sb_claim_pool_rows(pool, row);
    for (size_t i = 0; i < n && used < SB_POOL_TEXT; i++) {
        if (n == SB_POOL_ROWS && strcmp(row[i].name, "data") == 0) continue; /* video and order say it */
        const char *name = strcmp(row[i].name, "data") == 0 ? "data set" : row[i].name;
        used += (size_t)snprintf(text + used, SB_POOL_TEXT - used, "%s%s %.3f", used ? ", " : "", name, row[i].sd);
    }
    return true;
}

/* -- the register -- */

/* The runs of the parts: cell [returned number]; NULL to count. */
static size_t list_cells(const sb_finding *part, size_t n, const sb_result **cell)
{
    size_t n_cells = 0;
    for (size_t i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            const sb_arm *arm = side ? part[i].over : part[i].of;
            if (cell) memcpy(cell + n_cells, arm->cell, arm->n * sizeof *cell);
            n_cells += arm->n;
        }
    return n_cells;
}

static sb_status add_intervals(sb_numbers *numbers, const sb_claim_pool *pool, const char *name, sb_number number)
{
    number.value = pool->ratio, number.low = pool->low, number.high = pool->high;
    number.formula = "geometric mean of the ratios of all data sets and seeds, both random; 95 % interval of the mean "
                     "logarithm: Student's t with Satterthwaite's degrees of freedom";
    snprintf(number.text, sizeof number.text, isnan(pool->low) ? "%.2f" : "%.2f [%.2f, %.2f]", pool->ratio, pool->low,
             pool->high);
    SB_TRY(sb_numbers_put(numbers, &number, "claim.%s.pool", name));
    if (isnan(pool->new_low)) return SB_OK;
    number.low = pool->new_low, number.high = pool->new_high;
    number.formula = "where the ratio of a new data set, over all seeds, lies with 95 %: that interval with the "
                     "variance of data sets added";
    snprintf(number.text, sizeof number.text, "%.2f to %.2f", pool->new_low, pool->new_high);
    return sb_numbers_put(numbers, &number, "claim.%s.pool.new", name);
}

/* The runs of the orders belong to other studies and are not listed. */
static sb_status add_components(sb_numbers *numbers, const sb_claim_pool *pool, const char *name, sb_number behind)
{
    sb_pool_row row[SB_POOL_ROWS];
    const size_t n = sb_claim_pool_rows(pool, row);
    behind.low = behind.high = NAN;
    behind.unit = "log ratio";
    for (size_t i = 0; i < n; i++) {
        char formula[192];
        sb_number number = behind;
        snprintf(formula, sizeof formula, "standard deviation of the log ratio %s", row[i].formula);
        number.value = row[i].sd, number.n = row[i].n, number.formula = formula;
        if (strcmp(row[i].name, "order") == 0) number.n_cells = 0;
        SB_TRY(sb_numbers_put(numbers, &number, "claim.%s.pool.sd-%s", name, row[i].name));
    }
    return SB_OK;
}

sb_status sb_claim_pool_add(sb_numbers *numbers, const sb_claim_pool *pool, const char *name, const sb_finding *part,
                            size_t n)
{
    if (isnan(pool->ratio)) return SB_OK;
    const size_t n_cells = list_cells(part, n, NULL);
    SB_FREED const sb_result **cell = malloc(n_cells * sizeof *cell);
    if (!cell) return sb_fail(SB_E_MEMORY, "not enough memory for claim %s", name);
    list_cells(part, n, cell);
    const sb_number number = sb_number_from(cell, n_cells, pool->n, "ratio", "");
    SB_TRY(add_intervals(numbers, pool, name, number));
    return add_components(numbers, pool, name, number);
}
