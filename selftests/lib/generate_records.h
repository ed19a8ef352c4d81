/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of generate_all() that are not events. Each function writes every variant of its
 * kind.
 */
#ifndef SELFTESTS_GENERATE_RECORDS_H
#define SELFTESTS_GENERATE_RECORDS_H

#include "generate_values.h"

void put_kernel_objects(struct gen *g);
void put_userspace_objects(struct gen *g);
void put_legacy_switches(struct gen *g);
void put_scheduling(struct gen *g);
void put_logs(struct gen *g);
void put_modules(struct gen *g);
void put_backtraces(struct gen *g);
void put_blobs(struct gen *g);
void put_large_blobs(struct gen *g);

#endif /* SELFTESTS_GENERATE_RECORDS_H */
