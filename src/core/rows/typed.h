/* What was typed either acts, or says what the run does anyway, or is refused with the choice that has it.
 *
 *     $ samebits train --model lenet --window 5 ...
 *     samebits: --window: model lenet has no window; model prednet has it
 *
 * A setting has no effect where the run's network, backend, arithmetic, search, optimizer or schedule does not list it
 * (core/rows/setting.h), or where another setting switches it off, as `early_stop: off` does with `patience`. A value
 * without effect is accepted if the run does what it says: `auto`, `off`, what the run file says of a run without the
 * setting, and, where another setting switches it off, the default. */
#pragma once

#include "core/rows/setting.h"
#include "core/status.h"

enum { SB_TYPED_WHY = 512 };

/* Does the run have the setting, and is it switched on? text: what is known of each setting, NULL where the default
 * holds. If not, why is a sentence: "model lenet has no window; model prednet has it". */
bool sb_typed_acts(sb_setting_id id, const char *const text[SB_N_SETTINGS], char why[SB_TYPED_WHY]);

/* The same, or does text[id] say what the run does anyway? */
bool sb_typed_holds(sb_setting_id id, const char *const text[SB_N_SETTINGS], char why[SB_TYPED_WHY]);

/* SB_E_USAGE where a typed option does not hold. */
sb_status sb_typed_check(const sb_settings *settings);
