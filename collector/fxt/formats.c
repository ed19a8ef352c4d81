// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formats.c - the table of formats. A new format is a folder in formats/, its functions in
 * formats/formats.h and a row here.
 */
#include "formats/formats.h"
#include "walk/format.h"
#include "write/result.h"

static const struct result_kind tables = {
	.is_not = "is not a directory of tables of fxt", .is_directory = true,
};

const struct format all_formats[] = {
	{
		.name = "json",
		.about = "Trace Event Format: Perfetto, chrome://tracing, speedscope",
		.reads = "Trace Event Format of any program",
		.endings = { ".json" },
		.detect = json_detect,
		.in.read = json_read,
		.write = json_write,
		.result = &(const struct result_kind){
			.is_not = "is not JSON of fxt", .is_ours = json_is_ours,
		},
		.variant = { "with-ftrace", "write scheduling as ftrace text instead of slices",
			     json_write_with_ftrace },
	}, {
		.name = "ftrace",
		.about = "text as in /sys/kernel/tracing/trace: only scheduling, interrupts, idle "
			 "states, migrations, frequencies and work items",
		.reads = "the text of ftrace, trace-cmd report, perf script or babeltrace2",
		.endings = { ".ftrace", ".txt" },
		.detect = ftrace_detect,
		.in.read = ftrace_read,
		.write = ftrace_write,
		.result = &(const struct result_kind){
			.is_not = "is not ftrace text of fxt", .is_ours = ftrace_is_ours,
		},
	}, {
		.name = "perfetto",
		.about = "Perfetto's native format, for tools that read nothing else",
		.reads = "scheduling in traces of Perfetto",
		.endings = { ".pftrace", ".perfetto-trace" },
		.detect = perfetto_detect,
		.in.read = perfetto_read,
		.in.is_seekable = true,
		.write = perfetto_write,
		.result = &(const struct result_kind){
			.is_not = "is not a trace of Perfetto by fxt", .is_ours = perfetto_is_ours,
		},
	}, {
		.name = "csv",
		.about = "a directory of tables with the names of Perfetto's tables",
		.endings = { ".csv" },
		.write = csv_write,
		.result = &tables,
		.variant = { "raw-text",
			     "do not put ' before texts that a spreadsheet would take as formulas",
			     csv_write_raw },
	}, {
		.name = "parquet",
		.about = "a directory of the same tables as Parquet files",
		.endings = { ".parquet" },
		.write = parquet_write,
		.result = &tables,
		.variant = { "partition",
			     "write OUT/host=HOST/date=DATE/archive=NAME, beside others",
			     parquet_write_partition },
	}, {
		.name = "sqlite",
		.about = "the same tables as one database",
		.endings = { ".sqlite", ".db" },
		.write = sqlite_write,
		.result = &(const struct result_kind){
			.is_not = "is not a database of fxt", .is_ours = sqlite_is_ours,
			.is_reopened = true,
		},
	}, {
		.name = "firefox",
		.about = "a profile for profiler.firefox.com, compressed as the extension of OUT says",
		.endings = { ".profile.json", ".profile.json.gz", ".profile.json.zst" },
		.write = firefox_write,
		.result = &(const struct result_kind){
			.is_not = "is not a profile of fxt", .is_ours = firefox_is_ours,
		},
	}, {
		.name = "fxt",
		.about = "a valid archive in this machine's byte order, compressed as the "
			 "extension of OUT says",
		.reads = "archives",
		.endings = { ".fxt", ".fxt.zst", ".fxt.zstd", ".fxt.gz" },
		.write = archive_write,
		.result = &result_archive,
	}, {
		.name = "page",
		.reads = "pages of systrace or trace2html",
		.detect = page_detect,
		.in.read = page_read,
		.in.is_seekable = true,
	}, {
		.name = "trace.dat",
		.reads = "of trace-cmd record",
#ifdef FXT_HAS_TRACECMD
		.detect = trace_dat_detect,
		.in.read = trace_dat_read,
		.in.is_seekable = true,
#endif
	}, {
		.name = "perf.data",
		.reads = "of perf sched record",
#ifdef FXT_HAS_TRACEEVENT
		.detect = perf_data_detect,
		.in.read = perf_data_read,
		.in.is_seekable = true,
		.in.prepare = perf_data_prepare,
		.in.finish = perf_data_finish,
		.in.link = perf_data_link,
#endif
	}, {
		.name = NULL,
	},
};
