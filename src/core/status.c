#include "core/status.h"

#include "core/machine/interrupt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[1024];

sb_status sb_fail(sb_status code, const char *format, ...)
{
    /* The new sentence may quote the old one, so it is built next to it. */
    char text[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(message, sizeof message, "%s", text);
    return code;
}

const char *sb_message(void)
{
    return message;
}

void sb_freed(void *variable)
{
    void *memory;
    memcpy(&memory, variable, sizeof memory);
    free(memory);
}

int sb_exit_code(sb_status status)
{
    switch (status) {
    case SB_OK:
        return 0;
    case SB_E_DIFFERS:
    case SB_E_IO:
    case SB_E_MEMORY:
        return 1;
    case SB_E_USAGE:
        return 2;
    case SB_E_PARTIAL:
        return 3;
    case SB_E_MISSING:
        return 4;
    case SB_E_EMPTY:
        return 5;
    case SB_E_UNDETERMINED:
        return 6;
    case SB_E_INTEGRITY:
        return 7;
    case SB_E_INTERRUPTED:
        return 128 + (sb_interrupt_signal() ? sb_interrupt_signal() : 2);
    }
    return 1;
}

sb_status sb_status_of_exit(int code, sb_status otherwise)
{
    for (sb_status status = SB_OK; status < SB_E_INTERRUPTED; status++)
        if (sb_exit_code(status) == code) return status;
    return otherwise;
}
