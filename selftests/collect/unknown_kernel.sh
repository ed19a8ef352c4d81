#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The module is built for kernels that do not exist: known headers, one of which lacks or
# changes something. For each build, one line must say what that is.
#
# In:  FXT_KDIR, the headers; those of scripts/deps.sh --kdir if it is not set.
#      They have Debian's layout and are not modified.
# Out: TAP.

cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
kdir=${FXT_KDIR:-$(../scripts/deps.sh --kdir 2>/dev/null)}
number=0

# Each line: the file, the sed script that changes it, or "none" to remove it, and the
# expected message.
cases() {
	cat <<'END'
include/linux/relay.h	s/padding;\(.*padding counts\)/paddings;\1/	include/linux/relay.h: struct rchan_buf.padding is
include/linux/relay.h	s/is_global);/is_global, int flags);/	include/linux/relay.h: struct rchan_callbacks.create_buf_file is
include/linux/relay.h	s/void \*prev_subbuf,/void *prev_subbuf, int why,/	include/linux/relay.h: struct rchan_callbacks.subbuf_start is
include/linux/relay.h	s/relay_buf_full/relay_is_full/	include/linux/relay.h: relay_buf_full() is
include/linux/relay.h	s/size_t n_subbufs,/size_t n_subbufs, int flags,/	include/linux/relay.h: relay_open() is
include/linux/relay.h	none	include/linux/relay.h: the header is
include/trace/events/sched.h	s/unsigned int prev_state)/unsigned int prev_state, int why)/;s/next, prev_state)/next, prev_state, why)/	include/trace/events/sched.h: sched_switch is
include/trace/events/sched.h	/, sched_wakeup,$/{n;s/p)/p, int cpu)/;n;s/p)/p, cpu)/}	include/trace/events/sched.h: sched_wakeup is
include/trace/events/sched.h	s/sched_process_exec/sched_exec/	include/trace/events/sched.h: sched_process_exec is
include/trace/events/task.h	/(task_rename/,/TP_ARGS/{s/comm)/comm, exec)/;s/\*comm, /*comm, bool /}	include/trace/events/task.h: task_rename is
include/linux/idr.h	s/idr_get_next/idr_next/	include/linux/idr.h: idr_get_next() is
include/linux/tracepoint.h	s/for_each_kernel_tracepoint/for_each_tracepoint/	include/linux/tracepoint.h: for_each_kernel_tracepoint() is
include/linux/timekeeping.h	/ktime_get_boot_fast_ns/d	include/linux/timekeeping.h: ktime_get_boot_fast_ns() is
include/linux/timekeeper_internal.h	s/xtime_nsec/nsec_shifted/	include/linux/timekeeper_internal.h: struct tk_read_base.base and .xtime_nsec is
include/linux/pvclock_gtod.h	s/pvclock_gtod_register_notifier/pvclock_notify/	include/linux/pvclock_gtod.h: pvclock_gtod_register_notifier() is
include/linux/debugfs.h	s/debugfs_create_file_unsafe/debugfs_create_plain/	include/linux/debugfs.h: debugfs_create_file_unsafe() is
include/linux/sched.h	/^#define TASK_PARKED/s/0x0*40/0x00020000/	include/linux/sched.h: the bits of task_struct's states is
include/linux/preempt.h	s/define HARDIRQ_BITS.4/define HARDIRQ_BITS 5/	include/linux/preempt.h: the parts of the preempt count is
include/linux/sched.h	s/on_rq;/queued;/	include/linux/sched.h: struct task_struct.on_rq is
include/linux/sched.h	s/^struct sched_entity {/struct sched_delays { char sched_delayed; };\n&/	include/linux/sched.h: struct sched_entity.sched_delayed is
include/linux/seq_file.h	s/seq_release/one_release/	rundown.c:
include/generated/autoconf.h	/CONFIG_RELAY /d	without CONFIG_RELAY,
include/generated/autoconf.h	/CONFIG_TRACEPOINTS /d	without CONFIG_TRACEPOINTS,
END
}

# link_into DIR PLACE: create the directory PLACE with links to everything in DIR.
link_into() {
	mkdir -p "$2" && find "$1" -mindepth 1 -maxdepth 1 -exec ln -s -t "$2" {} +
}

# The headers of one build, and those shared with other builds, side by side as in
# Debian.
make_kernel() {
	local own common
	own=$(realpath "$kdir")
	for common in "${own%/*}/$(basename "$own" | sed 's/[^-]*$//')"*common; do
		link_into "$common" "$work/${common##*/}" || return
		kernel_common=$work/${common##*/}
	done
	kernel=$work/${own##*/}
	link_into "$own" "$kernel" && rm "$kernel/Makefile" && cp "$own/Makefile" "$kernel" &&
		cp -r ../kmod ../include "$work" && rm -f "$work"/kmod/{*.o,*.ko,.*.cmd}
}

# change ROOT FILE SED: replace the link to FILE, and to each directory above it, by a
# copy.
change() {
	local path=$1 part dir
	for part in ${2//\// }; do
		path=$path/$part
		[[ -L $path ]] || continue
		dir=$(realpath "$path")
		rm "$path" || return
		if [[ -d $dir ]]; then
			link_into "$dir" "$path"
		else
			[[ $3 == none ]] || sed "$3" "$dir" >"$path"
		fi || return
	done
	! cmp -s "$path" "$dir"
}

build() {
	rm -f "$work/kmod/needs.o"
	make -s -C "$kernel" M="$work/kmod" needs.o >/dev/null 2>"$work/log"
}

# Lines that make and the kernel's Makefile print for any failed build.
said() {
	grep -v -E '^make|^warning: the compiler differs|^  (The kernel was built by|You are using):|^Skipping BTF' \
		"$work/log"
}

# result STATUS NAME
result() {
	number=$((number + 1))
	if (($1 == 0)); then
		echo "ok $number $2"
	else
		sed 's/^/# /' "$work/log"
		echo "not ok $number $2"
	fi
}

told_in_one_line() {
	local root=$kernel status=1
	[[ -e $kernel/$1 ]] || root=$kernel_common
	: >"$work/log"
	if ! change "$root" "$1" "$2"; then
		echo "$1 is as it was" >"$work/log"
	elif ! build && (($(said | wc -l) == 1)) && said | grep -q -- "$3"; then
		status=0
	fi
	ln -sf "$original/${root##*/}/$1" "$root/$1"
	return "$status"
}

echo "TAP version 13"
if [[ ! -d $kdir ]]; then
	echo "1..0 # SKIP no kernel headers: ../scripts/deps.sh vm fetches some, or give FXT_KDIR="
	exit 0
fi
echo "1..$(($(cases | wc -l) + 1))"
original=$(dirname "$(realpath "$kdir")")
make_kernel && build
result $? "the headers are known as they are"
while IFS=$'\t' read -r file sed says; do
	told_in_one_line "$file" "$sed" "$says"
	result $? "$file: $says"
done < <(cases)
