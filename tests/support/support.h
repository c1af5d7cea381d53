/* What every unit test includes: cmocka, in the order it wants. */
#ifndef SB_TESTS_SUPPORT_H
#define SB_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
