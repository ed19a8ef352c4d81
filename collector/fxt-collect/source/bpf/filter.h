/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - filter and trigger in the form of the BPF programs.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_FILTER_H
#define FXT_COLLECT_SOURCE_BPF_FILTER_H

#include "bpf/filter.h"
#include "source/source.h"

/**
 * bpf_filter_set() - fill in the filter constants of the programs
 * @to: all zero before
 * @from: NULL for no filter
 * @e: filled in on error
 *
 * Return: 0 or -EINVAL for an invalid pattern.
 */
int bpf_filter_set(struct fxt_bpf_filter *to, const struct source_filter *from,
		   struct error *e);

/**
 * bpf_trigger_set() - the same for the trigger
 * @to: all zero before
 * @from: its latency is 0 if there is none
 * @e: filled in on error
 *
 * Return: 0 or -EINVAL for an invalid pattern.
 */
int bpf_trigger_set(struct fxt_bpf_trigger *to, const struct source_trigger *from,
		    struct error *e);

#endif /* FXT_COLLECT_SOURCE_BPF_FILTER_H */
