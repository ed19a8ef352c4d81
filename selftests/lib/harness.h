/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * harness.h - the kernel's selftest harness, and time enough for any machine.
 *
 * A test that hangs is ended after TEST_TIMEOUT_DEFAULT seconds, which the harness
 * has as 30: an emulated machine on a busy host takes longer for some.
 */
#ifndef SELFTESTS_HARNESS_H
#define SELFTESTS_HARNESS_H

#include "../kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 240

#endif /* SELFTESTS_HARNESS_H */
