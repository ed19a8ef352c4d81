/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * harness.h - the kernel's selftest harness, with a timeout that suits any machine.
 *
 * A test that hangs is ended after TEST_TIMEOUT_DEFAULT seconds. The harness's own value, 30,
 * is too short for some tests on an emulated machine on a busy host.
 */
#ifndef SELFTESTS_HARNESS_H
#define SELFTESTS_HARNESS_H

#include "../kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 240

#endif /* SELFTESTS_HARNESS_H */
