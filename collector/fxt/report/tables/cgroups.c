// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroups.c - the tables of throttled cgroups, and of what the kernel counted of their quotas.
 *
 * total_ns is of all CPUs together, throttled_ns the time in which some CPU throttled the cgroup.
 * The kernel's counters are the sum of all CPUs, too.
 */
#include "tables.h"

COLUMN_VALUE(path, struct report_origin, s, value_text(report_origin_name(s)))
COLUMN_VALUE(periods, struct report_origin, s, value_of(s->throttled ? s->throttled->periods : 0))
COLUMN_VALUE(throttled, struct report_origin, s, value_of(s->throttled ? s->throttled->ns : 0))

TABLE_ROWS(throttled_rows, table_origins(r, KERNEL_THROTTLE, KERNEL_THROTTLE))

#define FIELD(field)	COLUMN_FIELD(struct report_origin, field)

static const struct column columns_throttled[] = {
	{ NULL, &column_name, .get = path, TEXT_NAME(6, 38, 1, "cgroup") },
	{ .type = &column_same, .of = columns_origin_name },
	{ "count", &column_count, FIELD(count), .about = "of slices of single CPUs" },
	{ "total_ns", &column_time, FIELD(total), TEXT(5, 7, "on CPUs"), .page = "on all CPUs",
	  .about = "of all of these" },
	{ .type = &column_same, .of = columns_longest },
	{ NULL, &column_time, FIELD(longest), TEXT(4, 7, "longest") },
	{ "periods", &column_count, .get = periods, SHOWN(1, 8, "periods") },
	{ "throttled_ns", &column_time, .get = throttled, TEXT(2, 7, "time"), .page = "throttled",
	  .about = "in which some CPU throttled it" },
	{ NULL, &column_of_window, .get = throttled, TEXT(3, 6, "share") },
	{ .type = &column_same, .of = columns_origin_cpus },
	COLUMNS_END
};

const struct table table_throttled_cgroups = {
	.key = "throttled_cgroups", .section = "throttled", .title = "Throttled cgroups",
	.hint = "A quota of CPU time kept their threads from running.",
	.is_in = has_throttling,
	.rows = throttled_rows, .columns = columns_throttled,
};

#undef FIELD
#define FIELD(field)	COLUMN_FIELD(struct report_quota, field)

COLUMN_VALUE(share, struct report_quota, q,
	     value_fraction(q->counts[0] ? (double)q->counts[1] / q->counts[0] : 0))
COLUMN_VALUE(on_cpus, struct report_quota, q, value_of(q->counts[2] * 1000))

OF_REPORT(bool, has_quotas, r->kernel.quota_count)

TABLE_ROWS(quota_rows, ROWS(r->kernel.quotas, r->kernel.quota_count))

static const struct column columns_quota[] = {
	{ "name", &column_name, FIELD(path), SHOWN_NAME(5, 34, 1, "cgroup"), .about = "the path" },
	{ "number", &column_id, FIELD(cgroup), .about = "the id" },
	{ "periods", &column_count, FIELD(counts[0]), SHOWN(1, 8, "periods"),
	  .about = "in which it had something to run" },
	{ "throttled_periods", &column_count, FIELD(counts[1]), TEXT(2, 9, "throttled"),
	  .page = "throttled periods", .about = "in which its quota was used up" },
	{ NULL, &column_share, .get = share, TEXT(3, 6, "share") },
	{ "throttled_ns", &column_time, .get = on_cpus, TEXT(4, 7, "on CPUs"),
	  .page = "throttled, on all CPUs" },
	COLUMNS_END
};

const struct table table_cgroup_quotas = {
	.key = "cgroup_quotas", .section = "quotas", .title = "Quotas of cgroups",
	.hint = "The kernel's counters of cgroups that have a quota of CPU time.",
	.is_in = has_quotas,
	.about = "the kernel's counters over the selected time, of all CPUs",
	.rows = quota_rows, .columns = columns_quota,
};
