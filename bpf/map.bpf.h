/* SPDX-License-Identifier: GPL-2.0-only */
/* map.bpf.h - maps of the usual kinds, a line each. An array's entries are counted from 0. */
#ifndef BPF_MAP_BPF_H
#define BPF_MAP_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define MAP(kind, name, entries, key_type, value_type, ...)	\
	struct {						\
		__uint(type, BPF_MAP_TYPE_##kind);		\
		__VA_ARGS__					\
		__uint(max_entries, entries);			\
		__type(key, key_type);				\
		__type(value, value_type);			\
	} name SEC(".maps")

#define ARRAY(name, entries, value_type)	MAP(ARRAY, name, entries, __u32, value_type)
#define CPU_ARRAY(name, entries, value_type)	MAP(PERCPU_ARRAY, name, entries, __u32, value_type)
#define HASH(name, entries, key, value_type)	MAP(HASH, name, entries, key, value_type)

/* User space maps its memory, too. */
#define SHARED_ARRAY(name, entries, value_type)	\
	MAP(ARRAY, name, entries, __u32, value_type, __uint(map_flags, BPF_F_MMAPABLE);)

#endif /* BPF_MAP_BPF_H */
