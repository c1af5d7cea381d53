#include "paper/verbs.h"

#include "paper/work.h"

static const sb_option options[] = {
    SB_WORK_READ,
    SB_WORK_CLAIMS("paper/claims.yaml"),
    SB_OPTION_TEXT(sb_work_options, output, "--csv", "DIR", NULL, "folder for claims.csv as well; it is made"),
    SB_OPTION_END,
};

static sb_status claims(const sb_call *call)
{
    sb_work w = {0};
    sb_status status = sb_work_open(&w, call);
    if (status == SB_OK) {
        sb_claims_print(stdout, &w.report.claims);
        if (w.options.output) status = sb_claims_write(&w.report.claims, w.options.output);
    }
    return sb_work_close(&w, status);
}

const sb_command sb_verb_claims = {
    .program = "samebits-report",
    .verb = "claims",
    .summary = "what was claimed, and what the results say to it",
    .options = options,
    .values_bytes = sizeof(sb_work_options),
    .epilogue = "Outcomes: reproduced, not reproduced, refuted, undetermined, hardware missing; paper/claims.h says "
                "when. All of "
                "them\n"
                "are results: the exit code is 0.\n"
                "exit codes: 0 done, 2 usage or a claims file that makes no sense, 5 no results, 7 results that make "
                "no sense\n",
    .run = claims,
};
