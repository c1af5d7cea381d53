/* What samebits-report reads: results and bundles of them, claims, published records, lists of layers, pictures. */
#include "pack.h"
#include "target.h"

#include "paper/claims/question.h"
#include "paper/exchange/exchange.h"
#include "paper/figures/grid.h"
#include "paper/figures/network_modules.h"
#include "paper/judge/judge.h"
#include "paper/page/page.h"
#include "paper/program/program_results.h"
#include "paper/report/report.h"
#include "paper/results/runs.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that the verbs compute from a folder of results, but for its pictures. */
static void compute(const char *folder, const char *claims)
{
    SB_OWNED(sb_report_close) sb_report report = {0};
    const sb_report_sources sources = {
        .folder = folder, .published = "", .claims = claims, .allowed = {.changed = true, .incomplete = true}};
    if (sb_report_open(&report, &sources) != SB_OK) return;
    const sb_question hardware = sb_question_of_hardware(&report.claims, &report.hardware);
    const sb_question question = sb_question_of(&report.claims, &report.hardware, &report.arms);
    sb_writer *out = sb_writer_open(&sb_html);
    sb_write(out, "%s", question.text);
    sb_question_write_claims(out, &hardware, NULL);
    sb_question_write_claims(out, &question, NULL);
    char *text;
    size_t n;
    if (sb_writer_close(out, "the answer", &text, &n) == SB_OK) free(text);
    if (claims) sb_claims_print(sb_fuzz_nowhere(), &report.claims);
}

/* Tables in the order of sb_columns_all, as parts; an empty one is absent. The digests are made anew, or come as the last
 * part. */
static void fuzz_results(const uint8_t *bytes, size_t n)
{
    char folder[SB_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", sb_fuzz_path("results"));
    if (sb_folder_make(folder) != SB_OK) abort();
    sb_writer *sums = sb_writer_open(&sb_lines);
    for (const sb_columns *const *table = sb_columns_all; *table; table++) {
        const char *file = (*table)->file;
        char name[64];
        const uint8_t *part;
        if ((*table)->need == SB_TABLE_APART) continue;
        size_t size = sb_fuzz_part(&bytes, &n, &part);
        snprintf(name, sizeof name, "results/%s", file);
        if (!size) continue;
        sb_sums_write(sums, file, part, size);
        sb_fuzz_put(name, part, size);
    }
    char *text;
    size_t n_text;
    if (sb_writer_close(sums, "sums", &text, &n_text) != SB_OK) abort();
    sb_fuzz_put("results/" SB_SUMS_FILE, text, n_text);
    free(text);
    if (n) sb_fuzz_put("results/" SB_SUMS_FILE, bytes, n);
    compute(folder, NULL);
    sb_folder_remove(folder);
}

static void fuzz_exchange(const uint8_t *bytes, size_t n)
{
    sb_exchange exchange;
    if (sb_exchange_open(&exchange, pack("theirs.tar.gz", SB_SEAL_RESULTS, "samebits-results", bytes, n)) != SB_OK)
        return;
    compute(exchange.folder, NULL);
    sb_exchange_close(&exchange);
}

/* Held against shipped results, which are read once. */
static void fuzz_claims(const uint8_t *bytes, size_t n)
{
    static sb_results results;
    static sb_arms arms;
    if (!results.n_cells) {
        if (sb_results_read(&results, SB_SOURCE "/results/demo-reference", NULL) != SB_OK) abort();
        if (sb_arms_group(&arms, &results) != SB_OK) abort();
    }
    sb_claims claims;
    sb_numbers numbers = {0};
    if (sb_claims_judge(&claims, sb_fuzz_put("claims.yaml", bytes, n), &results, &arms, NULL) == SB_OK) {
        sb_claims_print(sb_fuzz_nowhere(), &claims);
        (void)sb_claims_add(&numbers, &claims);
    }
    sb_numbers_free(&numbers);
    sb_claims_free(&claims);
}

static void seed_claims(void)
{
    sb_fuzz_seed_file("shipped", SB_SOURCE "/paper/claims.yaml");
}

/* Three parts: cells.csv and coverage.csv of a study of commands, and claims; an empty one is absent. */
static void fuzz_program(const uint8_t *bytes, size_t n)
{
    char folder[SB_PATH_MAX], claims[SB_PATH_MAX], *text;
    SB_OWNED(sb_program_results_free) sb_program_results results = {0};
    SB_OWNED(sb_program_claims_free) sb_program_claims judged = {0};
    snprintf(folder, sizeof folder, "%s", sb_fuzz_path("program"));
    if (sb_folder_make(folder) != SB_OK) abort();
    (void)sb_fuzz_put_part("program/cells.csv", &bytes, &n);
    (void)sb_fuzz_put_part("program/coverage.csv", &bytes, &n);
    snprintf(claims, sizeof claims, "%s", sb_fuzz_put_part("program/claims.yaml", &bytes, &n));
    if (sb_commands_are_in(folder) && sb_program_results_read(&results, folder) == SB_OK) {
        const bool has_claims = sb_program_claims_judge(&judged, claims, &results) == SB_OK;
        sb_writer *out = sb_writer_open(&sb_plain);
        (void)sb_program_write_answer(out, &results, has_claims ? &judged : NULL);
        if (sb_writer_close(out, "the answer", &text, NULL) == SB_OK) free(text);
        (void)sb_program_page_write(&results, has_claims ? &judged : NULL, folder);
        if (has_claims) sb_claims_print(sb_fuzz_nowhere(), &judged.claims);
    }
    sb_folder_remove(folder);
}

static void seed_program(void)
{
    static const char tables[] =
        "name,hash,study,ulp,seed,rate,order,loss,score,updates,diverged,output,claims,evidence\n"
        "t/a,11111111,toy,0,1,0.5,drawn,1.5,3,5,,aa11bb22,cc,measured\nt/"
        "b,22222222,toy,0,1,0.5,sorted,2.5,3,5,,aa11bb23,cc,measured\n"
        "t/c,33333333,toy,0,2,0.5,drawn,1.75,3,5,,aa11bb24,,measured\nt/"
        "d,44444444,toy,1,2,0.5,sorted,nan,4,5,yes,aa11bb25,,measured\n"
        "--- 8< "
        "---\nwhat,value,why\nmatrix,m.yaml,\ncells,5,\nselected,5,\ncomplete,4,\ndiverged,1,\nmetric,loss,lower\n"
        "metric,score,higher\nmissing,t/rate=0.5/55555555,\n--- 8< ---\nquestion: Why?\nclaims:\n"
        "  - {name: a, by: us, text: T., of: {order: sorted}, over: {order: drawn}, each: setting, relation: greater, "
        "metric: loss, "
        "seeds: '2'}\n"
        "  - {name: b, by: us, text: T., of: {order: sorted}, over: {order: drawn}, relation: equivalent, metric: "
        "score, margin: "
        "'1.1'}\n"
        "  - {name: c, by: us, text: T., of: {order: sorted}, over: {rate: '0.5'}, relation: same bits, metric: "
        "score}\n";
    sb_fuzz_seed("toy", tables, sizeof tables - 1);
}

static void fuzz_published(const uint8_t *bytes, size_t n)
{
    char folder[SB_PATH_MAX];
    sb_published published;
    sb_numbers numbers = {0};
    snprintf(folder, sizeof folder, "%s", sb_fuzz_path("published"));
    if (sb_folder_make(folder) != SB_OK) abort();
    sb_fuzz_put("published/record.yaml", bytes, n);
    if (sb_published_read(&published, folder) == SB_OK) (void)sb_published_add(&numbers, &published);
    sb_numbers_free(&numbers);
    sb_published_free(&published);
}

/* Those that ship. */
static void seed_published(void)
{
    static const char folder[] = SB_SOURCE "/results/published";
    DIR *all = opendir(folder);
    if (!all) abort();
    for (struct dirent *entry; (entry = readdir(all));) {
        char path[SB_PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".yaml")) sb_fuzz_seed_file(entry->d_name, path);
    }
    closedir(all);
}

/* A table of another program, judged by ratios and by differences. */
static void fuzz_judge(const uint8_t *bytes, size_t n)
{
    const char *path = sb_fuzz_put("table.csv", bytes, n);
    sb_judge_runs runs;
    if (sb_judge_read(&runs, &(sb_judge_columns){.by = "hardware", .metric = "loss"}, &path, 1) != SB_OK) return;
    for (int k = 0; k < 2; k++) {
        sb_judgement judgement;
        const sb_judge_rule rule = {.by = "hardware",
                                    .metric = "loss",
                                    .higher = k,
                                    .margin = 1.05,
                                    .margin_source = "",
                                    .within = k ? 0.1 : NAN};
        if (runs.n > 2000) continue;
        (void)sb_judge(&judgement, &runs, &rule);
        sb_judgement_free(&judgement);
    }
    sb_judge_runs_free(&runs);
}

static void seed_judge(void)
{
    static const char *const tables[] = {
        "hardware,seed,loss,weights\na,1,0.5,aa\nb,1,0.5,aa\na,2,0.6,bb\nb,2,nan,bb\n",
        "hardware;seed;step;loss\na;1;1;3\na;1;2;-3\nb;1;1;\nb;1;2;2\n",
        "Step,\"hardware=a,seed=1 - loss\",\"hardware=b,seed=1 - loss\"\n1,0.5,0.6\n2,0.4,\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char name[16];
        snprintf(name, sizeof name, "table%zu", i);
        sb_fuzz_seed(name, tables[i], strlen(tables[i]));
    }
}

static void fuzz_layers(const uint8_t *bytes, size_t n)
{
    sb_network_modules layers;
    (void)sb_network_modules_read(&layers, sb_fuzz_put("layers.csv", bytes, n));
    sb_network_modules_free(&layers);
}

/* A picture of gnuplot, as it becomes part of the page, and as it is finished. */
static void fuzz_picture(const uint8_t *bytes, size_t n)
{
    const char *path = sb_fuzz_put("picture.svg", bytes, n);
    sb_writer *page = sb_writer_open(&sb_html);
    (void)sb_page_svg(page, path, "f1-", "wide", "a \"label\"");
    sb_writer_drop(page);
    (void)sb_fuzz_put("picture.svg.part", bytes, n);
    (void)sb_picture_finish(path);
}

const sb_fuzz_target sb_fuzz_targets[] = {
    {"results", fuzz_results, NULL},
    {"exchange", fuzz_exchange, NULL},
    {"claims", fuzz_claims, seed_claims},
    {"program", fuzz_program, seed_program},
    {"published", fuzz_published, seed_published},
    {"layers", fuzz_layers, NULL},
    {"picture", fuzz_picture, NULL},
    {"judge", fuzz_judge, seed_judge},
    {NULL, NULL, NULL},
};
