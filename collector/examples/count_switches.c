// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * count_switches.c - counts the context switches of each CPU, with libfxt.
 * cc count_switches.c $(pkg-config --cflags --libs fxt)
 */
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_reader.h>

int main(int argc, char **argv)
{
	static uint64_t switches[65536];
	struct fxt_record rec;
	struct fxt_reader *r;
	struct fxt_switch sw;
	int ret;

	ret = fxt_reader_open(&r, argc > 1 ? argv[1] : "-", NULL);
	while (!ret && (ret = fxt_reader_next(r, &rec)) > 0) {
		ret = 0;
		if (rec.kind == FXT_KIND_CONTEXT_SWITCH && !fxt_reader_switch(r, &rec, &sw))
			switches[sw.cpu]++;
	}
	if (ret)
		fprintf(stderr, "%s\n", r ? fxt_reader_error(r) : "cannot open it");
	fxt_reader_close(r);
	for (int cpu = 0; cpu < 65536; cpu++)
		if (switches[cpu])
			printf("cpu %d: %" PRIu64 " switches\n", cpu, switches[cpu]);
	return ret != 0;
}
