/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.h - parse the values of options. For parse.c only.
 *
 * Each function returns 0, or a negative errno with @e filled in: what is wrong with the
 * value, and what to use instead.
 */
#ifndef FXT_COLLECT_OPTIONS_VALUES_H
#define FXT_COLLECT_OPTIONS_VALUES_H

#include "libopt/option.h"
#include "options.h"
#include "process/error.h"

/**
 * value_word() - index of a word among @words; negative on error
 * @option: with its hyphens
 * @what: as the row of the option calls its value
 */
int value_word(const char *option, const char *what, const char *word, option_words *words,
	       struct error *e);

/** trigger_word() - beginnings of triggers; see option_words */
bool trigger_word(unsigned int i, struct option_word *w);

/** compress_word() - kinds of compression; see option_words */
bool compress_word(unsigned int i, struct option_word *w);

/** value_time() - "500ms" in ns, more than 0 */
int value_time(const char *option, const char *value, uint64_t *ns, struct error *e);

/** value_start_at() - "/10s" or "@1767225600", after now */
int value_start_at(struct start_at *s, const char *value, struct error *e);

/** value_size() - "1G" in bytes, more than 0 */
int value_size(const char *option, const char *value, uint64_t *bytes, struct error *e);

/** value_count() - a number */
int value_count(const char *option, const char *value, uint64_t *n, struct error *e);

/** value_buffer() - a size per CPU, divided into sub-buffers */
int value_buffer(struct options *o, const char *value, struct error *e);

/** value_cpus() - "0-3,8" */
int value_cpus(struct source_filter *f, const char *value, struct error *e);

/** value_pids() - "12,34" */
int value_pids(struct source_filter *f, const char *value, struct error *e);

/** value_pattern() - a pattern that fxt_glob_compile() takes */
int value_pattern(const char *option, const char *value, struct error *e);

/** value_cgroup() - a directory of cgroup v2, or its path below its root */
int value_cgroup(struct source_filter *f, const char *value, struct error *e);

/** value_trigger() - "latency>5ms:comm=x*:pid=12:runnable>8"; @value is cut into pieces */
int value_trigger(struct options *o, char *value, struct error *e);

/** value_events() - "irq,work", "all", "none" */
int value_events(struct options *o, char *value, struct error *e);

/** value_without() - "counters,instants", names of parts only */
void value_without(struct options *o, char *value);

/** value_rotate() - "size=1G,time=10m" */
int value_rotate(struct options *o, char *value, struct error *e);

/** value_compress() - "zstd:3" */
int value_compress(struct options *o, const char *value, struct error *e);

#endif /* FXT_COLLECT_OPTIONS_VALUES_H */
