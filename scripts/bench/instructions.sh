#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures the cost of an event: the instructions that each tracer adds to a context
# switch and to a wakeup, that each group of events adds to an event of the group, and that
# call stacks add to a sleep or to a program that runs, counted in a guest in which an instruction
# takes a nanosecond.
# The counts are the same on any machine, busy or not.
#
# In:  kernel, repetitions; selftests/switches, selftests/events, selftests/busy,
#      collector/fxt-collect/fxt-collect, collector/fxt/fxt; LTTng's tools and its modules for that
#      kernel, if they are installed (scripts/deps.sh bench).
# Out: a table (instructions added per switch, per wakeup with its waker, by both;
#      the sum's ratio to the module's), one of the BPF programs for these (instructions per
#      run), and one of groups (instructions per event; a slice is its beginning and its end),
#      kept by results.sh, and as JSON in a file if one is given.
#
# To separate switch and wakeup: processes that yield to each other switch without wakeups;
# processes that pass a token through pipes cause one wakeup for each switch. The difference is the
# wakeup, including sched_waking and the state that the tracer stores of a thread that goes to
# sleep.
#
# To separate an event of a group: the same events happen while the collector only records switches,
# and while it also records the group. The kernel counts the events. One row records no group;
# its reference is the guest without a collector. Stacks are separated likewise, with sleeps of
# processes that read from a pipe: in kernel 6.1 such a stack has 5 frames in the kernel, and that
# of the waker has 9.
#
# To separate a sample of what runs: the CPU time of a program with a fixed number of instructions
# includes the interrupts that come during it. It is measured without samples and with them, and the
# archive has their number.
#
# The kernel measures each BPF program (kernel.bpf_stats_enabled) from one reading of its clock to
# the next one: this includes a reading of the clock, but not the call of the program.
#
# A guest for arm64 only counts tracers, and has neither a time-stamp counter nor another clock
# source. Its counter ticks every 16 ns, so a run of 50 switches is exact to 0.3 instructions per
# switch.
#
# Moving the records to a file is not included: the buffers are large enough for a run, and the
# median of many short runs excludes interrupted ones.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"

runs=200		# for each number
turns=333333333		# of the program that is sampled, 3 instructions each: a second
tracefs=/sys/kernel/tracing

usage() {
	cat <<'END'
usage: scripts/bench/instructions.sh [--json FILE] [--kernel NAME] [REPETITIONS]

Counts in a guest with kernel NAME (default: 6.1; see scripts/deps.sh), REPETITIONS times
(default: 5), and in another one whose clock source is not the processor's counter. LTTng is
included if scripts/deps.sh bench was run before. With arm64, which requires scripts/deps.sh vm
arm64, only what tracers add to switches and wakeups is counted.

exit status: 0 done, 1 a command failed in the guest, 2 wrong usage, 3 a program is
missing, 125 the guest failed.
END
}

# What ftrace and Perfetto record: wakeups at sched_waking, and no weights.
like_for_like="--wakeups=waking --weight=none"

tracers=("nothing" "module, clock boot" "module, clock mono" "module, clock tsc"
	"module, like for like" "BPF source, clock boot" "BPF source, like for like"
	"empty BPF programs: switch waking wakeup" "empty BPF programs: switch waking"
	"ftrace switch+waking" "ftrace switch+wakeup"
	"LTTng switch+waking" "LTTng switch+waking+wakeup")
# Run in a guest with that clock source. Reading its register takes one instruction.
source=hpet
source_tracers=("nothing, $source" "module, $source" "BPF source, $source")

# Each row has an event, the group or the options that record it, and the kind of selftests/events
# that causes it. QEMU counts instructions in guests with one CPU only: there are no migrations, no
# interrupts between CPUs and no changes of frequencies. A throttled cgroup waits, which would
# count as well. The instructions for creating a thread vary by more than a record takes. The module
# does not record some events. QEMU has no time of a host, so the row of steal is the cost of
# finding that at each switch.
groups=("soft interrupt, groups off|none|softirq"
	"interrupt of a device|irq|handler"
	"interrupt of the local timer|irq|timer"
	"soft interrupt|irq|softirq"
	"idle state|idle|idle"
	"work item|work|work"
	"system call|syscall|syscall"
	"timer that expires|timer|timer"
	"request, issued and completed|block|request"
	"wait for a futex, two processes|lock|futex"
	"wait for a futex, two threads|lock|futex-thread"
	"data of a TCP connection|net|data"
	"reclaim of memory|memory|reclaim"
	"switch, no time of a host|steal|switch"
	"switch with its wakeup|load|switch"
	"sleep, stack in the kernel|--stacks=offcpu,kernel --stacks-min=0|sleep"
	"sleep, stack in the program|--stacks=offcpu,user --stacks-min=0|sleep"
	"sleep, the waker's in the kernel|--stacks=wake,kernel --stacks-min=0|sleep"
	"sleep, shorter than --stacks-min|--stacks=offcpu --stacks-min=10s|sleep"
	"sample of what runs, 99 Hz|--stacks=oncpu:99|busy"
	"sample of what runs, 999 Hz|--stacks=oncpu:999|busy")

# --- in the guest ------------------------------------------------------------------

# count TRACER LABEL COMMAND...: prints tracer, load and ns per switch.
count() {
	local tracer=$1 how
	shift
	for how in yield pipe; do
		printf '%s\t%s\t' "$tracer" "$how"
		"$@" selftests/switches "$how" "$runs"
	done
}

# record SOURCE CLOCK WHAT COMMAND...: records groups of events, or what options say, to
# /tmp/bench.fxt.
record() {
	local source=$1 clock=$2 what
	[[ $3 == --* ]] || what=(-e "$3")
	[[ $3 != --* ]] || read -ra what <<<"$3"
	shift 3
	collector/fxt-collect/fxt-collect -q -s "$source" -c "$clock" "${what[@]}" -b 64M \
		-o /tmp/bench.fxt -- "$@"
}

with_collector() {
	record "$@"
	rm /tmp/bench.fxt
}

# with_ftrace EVENT COMMAND...: records this event of the scheduler and switches.
with_ftrace() {
	local event=$1 status=0
	shift
	echo 65536 >"$tracefs/buffer_size_kb"
	echo 1 >"$tracefs/events/sched/sched_switch/enable"
	echo 1 >"$tracefs/events/sched/$event/enable"
	"$@" || status=$?
	echo 0 >"$tracefs/events/enable"
	echo >"$tracefs/trace"
	return "$status"
}

# with_empty EVENTS COMMAND...: runs BPF programs that do nothing at these events of the scheduler.
with_empty() {
	local events
	read -ra events <<<"$1"
	shift
	selftests/empty_programs "${events[@]/#/sched_}" -- "$@"
}

# LTTng's daemon looks for its modules next to the kernel's own; these are already loaded.
start_lttng() {
	mount --bind "$1" "/lib/modules/$(uname -r)"
	export LTTNG_HOME=/tmp/lttng
	mkdir -- "$LTTNG_HOME"
	modprobe lttng-probe-sched
	lttng-sessiond --daemonize --kmod-probes=sched
}

# with_lttng EVENTS COMMAND...: records these events, with a default channel except for the
# size of its buffers. LTTng's output is shown only if it lost records.
with_lttng() {
	local events=$1 status=0
	shift
	{
		lttng create bench --output=/tmp/bench-lttng
		lttng enable-channel --kernel --subbuf-size=16M bench
		lttng enable-event --kernel "sched_${events//+/,sched_}" --channel=bench
		lttng start
	} >/dev/null
	"$@" || status=$?
	lttng stop >/tmp/lttng-said
	lttng destroy >>/tmp/lttng-said
	! grep -i -E 'discarded|lost' /tmp/lttng-said >&2 || status=1
	rm -r /tmp/bench-lttng
	return "$status"
}

source_of() {
	case $1 in
	module*) echo kmod ;;
	BPF*) echo bpf ;;
	esac
}

measure() {
	local tracer=$1
	case $tracer in
	nothing*) count "$tracer" ;;
	*", like for like")
		count "$tracer" with_collector "$(source_of "$tracer")" boot "$like_for_like" ;;
	*", $source") count "$tracer" with_collector "$(source_of "$tracer")" boot none ;;
	module* | BPF*) count "$tracer" with_collector "$(source_of "$tracer")" "${tracer##* }" none ;;
	ftrace*) count "$tracer" with_ftrace "sched_${tracer##*+}" ;;
	empty*) count "$tracer" with_empty "${tracer#*: }" ;;
	LTTng*) count "$tracer" with_lttng "${tracer#LTTng }" ;;
	esac
}

# count_programs WHAT: prints "program", its name, nanoseconds per run and "run" for each.
count_programs() {
	local switch=/proc/sys/kernel/bpf_stats_enabled
	echo 1 >"$switch"
	with_collector bpf boot "$1" sh -c "selftests/switches pipe $runs >/dev/null
		PATH=\$PATH:/usr/sbin bpftool --json prog show" |
		awk -v RS='{' -F '[:,}]' '
			/"name":"on_sched_(switch|waking|wakeup)(_(bare|waking|record))*"/ {
				for (i = 1; i < NF; i++)
					value[$i] = $(i + 1)
				if (value["\"run_cnt\""])
					printf "program\t%s\t%.1f\trun\n", value["\"name\""],
						value["\"run_time_ns\""] / value["\"run_cnt\""]
			}' | tr -d '"'
	echo 0 >"$switch"
}

# count_group TITLE GROUP KIND: prints title, source, GROUP or what it is compared with,
# nanoseconds per round, events per round.
count_group() {
	local title=$1 group=$2 kind=$3 source
	for source in kmod bpf; do
		[[ $source != kmod || $group != load ]] || continue
		printf '%s\t%s\tbase\t' "$title" "$source"
		if [[ $group == none ]]; then
			selftests/events "$kind" "$runs"
		else
			with_collector "$source" boot none selftests/events "$kind" "$runs"
		fi
		printf '%s\t%s\tgroup\t' "$title" "$source"
		with_collector "$source" boot "$group" selftests/events "$kind" "$runs"
	done
}

# count_samples TITLE OPTION: likewise, nanoseconds of the program and the number of its samples.
count_samples() {
	local title=$1 option=$2 source took
	for source in kmod bpf; do
		took=$(with_collector "$source" boot none selftests/busy "$turns")
		printf '%s\t%s\tbase\t%s\t0\n' "$title" "$source" "$took"
		took=$(record "$source" boot "$option" selftests/busy "$turns")
		printf '%s\t%s\tgroup\t%s\t%s\n' "$title" "$source" "$took" \
			"$(collector/fxt/fxt dump -q --type profiler /tmp/bench.fxt |
				grep -c 'sample_ns=.*spin \[busy\]')"
		rm /tmp/bench.fxt
	done
}

count_groups() {
	local row title group kind
	for row in "${groups[@]}"; do
		IFS='|' read -r title group kind <<<"$row"
		if [[ $kind == busy ]]; then
			count_samples "$title" "$group"
		else
			count_group "$title" "$group" "$kind"
		fi
	done
}

in_guest_of_source() {
	local module=$1 repetitions=$2 tracer i
	grep -qx "$source" /sys/devices/system/clocksource/clocksource0/current_clocksource
	insmod "$module"
	sleep 8
	for ((i = 0; i < repetitions; i++)); do
		for tracer in "${source_tracers[@]}"; do
			measure "$tracer"
		done
	done
}

# Can the guest run this tracer?
has_tracer() {
	case $1 in
	*tsc) [[ $(uname -m) == x86_64 ]] ;;
	LTTng*) [[ -n $2 ]] ;;
	esac
}

# in_guest MODULE LTTNG REPETITIONS: waits first for the deferred work of the boot.
in_guest() {
	local module=$1 lttng=$2 repetitions=$3 tracer i
	insmod "$module"
	# Completes each request at once, in the system call, and queues none.
	[[ $(uname -m) != x86_64 ]] || modprobe null_blk irqmode=0 no_sched=1
	if [[ -n $lttng ]]; then
		start_lttng "$lttng"
	fi
	busybox ip link set lo up
	# A cgroup without processes has no memory.
	mkdir /tmp/bench-cgroup
	mount -t cgroup2 none /tmp/bench-cgroup
	echo +memory >/tmp/bench-cgroup/cgroup.subtree_control
	mkdir /tmp/bench-cgroup/empty
	sleep 8
	for ((i = 0; i < repetitions; i++)); do
		for tracer in "${tracers[@]}"; do
			if has_tracer "$tracer" "$lttng"; then
				measure "$tracer"
			fi
		done
		[[ $(uname -m) == x86_64 ]] || continue
		count_programs none
		count_programs "$like_for_like"
		count_groups
	done
}

# --- outside -----------------------------------------------------------------------

# Prints medians of the instructions that a group adds to each of its events.
summarise_groups() {
	awk -v list="$(IFS=';'; echo "${groups[*]}")" "$bench_awk"'
		function cost(title, source,	base, on) {
			base = median(title FS source FS "base"); on = median(title FS source FS "group")
			if (base == "-" || on == "-")
				return "-"
			return sprintf("%.0f", (on - base) / events[title FS source])
		}
		NF == 5 { note($1 FS $2 FS $3, $4); has[$1]; events[$1 FS $2] = $5 }
		END {
			print "event", "group", "module", "BPF"
			print "instructions per", "group", "module", "BPF"
			rows = split(list, row, ";")
			for (i = 1; i <= rows; i++) {
				split(row[i], field, "|")
				if (field[1] in has)
					print field[1], field[2] ~ /^--/ ? "stacks" : field[2],
						cost(field[1], "kmod"), cost(field[1], "bpf")
			}
		}'
}

# Prints medians of the instructions of each BPF program.
summarise_programs() {
	awk "$bench_awk"'
		NF == 4 && $1 == "program" {
			if (!count[$2])
				name[++programs] = $2
			note($2, $3)
		}
		END {
			print "program", "instructions"
			print "instructions of", "a run"
			for (i = 1; i <= programs; i++)
				print name[i], sprintf("%.0f", median(name[i]))
		}'
}

# Prints medians: for "nothing" the count itself, for tracers the instructions that they add.
summarise() {
	awk -v list="$(IFS=';'; echo "${tracers[*]};${source_tracers[*]}")" "$bench_awk"'
		NF == 3 { note($1 FS $2, $3) }
		END {
			print "tracer", "switch", "wakeup", "both", "ratio"
			print "instructions per", "switch", "wakeup", "both", "module ="
			tracers = split(list, tracer, ";")
			for (i = 1; i <= tracers; i++) {
				yield = median(tracer[i] FS "yield"); pipe = median(tracer[i] FS "pipe")
				if (yield == "-" || pipe == "-")
					continue
				base = tracer[i] ~ /^nothing/
				if (base) { yield_0 = yield; pipe_0 = pipe } else { yield -= yield_0; pipe -= pipe_0 }
				if (i == 2) module = pipe
				print (base ? "" : "added by ") tracer[i], sprintf("%.0f", yield),
					sprintf("%.0f", pipe - yield), sprintf("%.0f", pipe),
					(base ? "-" : sprintf("%.2f", pipe / module))
			}
		}'
}

# The path of LTTng's modules for that kernel; nothing if a part of LTTng is missing.
find_lttng() {
	local modules
	modules=$(cache_dir)/lttng/$kernel/modules
	if [[ -d $modules ]] && command -v lttng-sessiond lttng >/dev/null; then
		printf '%s\n' "$modules"
	else
		say "LTTng for kernel $kernel is not installed (see scripts/deps.sh bench): omitted"
	fi
}

parse() {
	json='' kernel=6.1 repetitions=5
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=${2:?}; shift 2 ;;
		--kernel) kernel=${2:?}; shift 2 ;;
		*) repetitions=$1; shift; break ;;
		esac
	done
	(($# == 0)) || die 2 "$1: unexpected argument; see scripts/bench/instructions.sh --help"
	bench_count "$repetitions" || die 2 "$repetitions: invalid number of repetitions; see --help"
}

# count_in PARAMETERS ARGUMENT...: adds to WORK/counts, from a guest with these kernel parameters.
count_in() {
	"$here/../vm.sh" --kernel "$kernel" --timeout 1800 --icount --smp 1 --append "$1" -- \
		scripts/bench/instructions.sh "${@:2}" >>"$work/counts" ||
		die "$?" "counting in a guest of kernel $kernel failed (see above): $(tail -n 1 "$work/counts")"
}

main() {
	local module lttng release
	case ${1-} in
	--in-guest) in_guest "${@:2}"; return ;;
	--in-guest-of-source) in_guest_of_source "${@:2}"; return ;;
	esac
	parse "$@"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/../.."
	bench_needs collector/fxt-collect/fxt-collect collector/fxt/fxt \
		selftests/{switches,events,busy,empty_programs}
	if [[ $kernel == arm64 ]]; then
		"$here/../build-arm64.sh" >/dev/null || exit 3
		module=kmod/fxt_sched.ko
	else
		module=$("$here/../build-module.sh" "$kernel") || exit 3
	fi
	release=$(<"$(kernel_dir "$kernel")/release")
	lttng=$(find_lttng)
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	count_in "" --in-guest "$module" "$lttng" "$repetitions"
	[[ $kernel == arm64 ]] ||
		count_in "clocksource=$source" --in-guest-of-source "$module" "$repetitions"
	summarise <"$work/counts" >"$work/table"
	summarise_programs <"$work/counts" >"$work/programs"
	summarise_groups <"$work/counts" >"$work/groups"
	{
		echo "kernel: $release, $repetitions times, median"
		bench_columns <"$work/table"
		if [[ $kernel != arm64 ]]; then
			echo
			bench_columns <"$work/programs"
			echo
			bench_columns <"$work/groups"
		fi
	} >"$work/text"
	# One object: the rows of the other tables are its "programs" and "groups".
	bench_json <"$work/programs" | sed 's/^{"rows"/"programs"/; s/}$//' >"$work/programs.json"
	bench_json <"$work/groups" >"$work/groups.json"
	bench_json kernel "$release" repetitions "$repetitions" <"$work/table" |
		sed "s/}\$/,$(<"$work/programs.json"),$(sed 's/^{"rows"/"groups"/' "$work/groups.json")/" \
			>"$work/json"
	bench_keep instructions "$work" "$json"
}

main "$@"
