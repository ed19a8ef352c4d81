/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc.h - what processes have mapped when the recording begins.
 *
 * In: /proc. Out: executable mappings, with the build ids of their files.
 */
#ifndef FXT_COLLECT_SYMBOLS_PROC_H
#define FXT_COLLECT_SYMBOLS_PROC_H

#include "libsym/images.h"
#include "libsym/texts.h"
#include "source/source.h"

/**
 * proc_mappings() - read those of all processes
 * @im: takes them, with the time 0
 * @filter: if it has process ids, only those are read; NULL for none
 * @texts: reads the lists; its server, if it is not NULL, the build ids of files
 *
 * Processes that cannot be read are left out.
 *
 * Return: 0 or -ENOMEM.
 */
int proc_mappings(struct images *im, const struct source_filter *filter,
		  struct texts *texts);

#endif /* FXT_COLLECT_SYMBOLS_PROC_H */
