// SPDX-License-Identifier: GPL-2.0-or-later
/* requests.c - the table of requests of block devices, by device and operation. */
#include "tables.h"

TABLE_HAS(requests, REQUEST)

COLUMN_VALUE(device, struct report_requests, s, value_text(s->origin->name))
COLUMN_VALUE(operation, struct report_requests, s,
	     value_text(kernel_event_operation(s->origin->number)))
COLUMN_VALUE(p50, struct report_requests, s, value_of(report_hist_percentile(&s->hist, 500)))
COLUMN_VALUE(p99, struct report_requests, s, value_of(report_hist_percentile(&s->hist, 990)))
COLUMN_VALUE(each, struct report_requests, s,
	     value_of(s->hist.count ? s->bytes / s->hist.count : 0))
COLUMN_VALUE(in_device, struct report_requests, s, value_of(s->hist.sum - s->queued))
/* The average number of requests in queues and in the device. */
REPORT_VALUE(average, struct report_requests, s,
	     value_fraction(report_window(r) ? (double)s->hist.sum / report_window(r) : 0))

TABLE_ROWS(rows, ROWS(r->kernel.requests, r->kernel.request_count))

#define FIELD(field)	COLUMN_FIELD(struct report_requests, field)

static const struct column columns[] = {
	{ "device", &column_name, .get = device, SHOWN_NAME(11, 14, 1, "device") },
	{ "operation", &column_text, .get = operation, SHOWN(10, 8, "operation"),
	  .about = "read, write, flush, discard, secure erase, write of zeroes, other operation" },
	{ "count", &column_count, FIELD(hist.count), SHOWN(1, 7, "count"),
	  .about = "that the driver got and completed in the selected time" },
	{ "errors", &column_count, FIELD(errors), .page = "errors", .about = "of these" },
	{ "open", &column_count, FIELD(open), .page = "not completed",
	  .about = "others that the driver got" },
	{ "bytes", &column_count, FIELD(bytes), .page = "bytes" },
	{ NULL, &column_count, .get = each, TEXT(2, 8, "bytes") },
	{ "total_ns", &column_time, FIELD(hist.sum), SHOWN(3, 6, "total"),
	  .about = "from the first queue to the completion, like the next ones" },
	{ "queued_ns", &column_time, FIELD(queued), TEXT(4, 6, "queued"), .page = "of it queued",
	  .about = "of it in queues of the kernel" },
	{ "in_device_ns", &column_time, .get = in_device, .page = "of it in the device",
	  .about = "the rest of it" },
	{ "p50_ns", &column_time, .get = p50, SHOWN(5, 6, "p50") },
	{ "p99_ns", &column_time, .get = p99, SHOWN(6, 6, "p99") },
	{ "max_ns", &column_time, FIELD(hist.max), SHOWN(7, 6, "max") },
	{ "max_time_ns", &column_seconds, FIELD(longest_time), .about = "when it was completed" },
	{ "max_queued_ns", &column_time, FIELD(longest_queued) },
	{ "max_bytes", &column_count, FIELD(longest_bytes) },
	{ "max_", &column_report_thread_nth, FIELD(longest_thread), .page = "longest of",
	  .about = "that submitted it" },
	{ "average_depth", &column_average, .get = average, TEXT(8, 6, "avg."),
	  .page = "average depth", .about = "requests in queues and in the device, on average" },
	{ "max_depth", &column_count, FIELD(depth), TEXT(9, 5, "depth"), .page = "largest depth",
	  .about = "the most, of any kind, that the device had when it got one of these" },
	{ "histogram", &column_report_histogram, FIELD(hist) },
	COLUMNS_END
};

const struct table table_requests = {
	.key = "requests", .title = "Requests of block devices",
	.hint = "From the first queue to the completion; the largest depth is the most requests, "
		"of any kind, that the device had when it got one of the row.",
	.is_in = has_requests,
	.about = "by device and operation",
	.rows = rows, .columns = columns,
};
