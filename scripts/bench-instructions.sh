#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a recorded event costs: the instructions that each tracer adds to a context
# switch and to a wakeup, counted in a guest in which an instruction takes a
# nanosecond. The counts are the same on any machine, busy or not.
#
# In:  kernel, repetitions; selftests/switches, collector/fxt-collect.
# Out: a table (instructions added per switch, per wakeup with its waker, by both;
#      the last one's ratio to the module's), and the same as JSON if a file is given.
#
# How switch and wakeup are told apart: processes that yield to each other switch and
# wake nobody; processes that pass a token through pipes wake one for each switch. The
# wakeup is the difference: what sched_waking costs is in it, and so is what has to be
# remembered of a thread that goes to sleep.
#
# What moves the records to a file is not in it: buffers are large enough for a run,
# and the median of many short ones leaves out those that something else came into.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

runs=200		# per figure
tracefs=/sys/kernel/tracing

usage() {
	cat <<'END'
usage: scripts/bench-instructions.sh [--json FILE] [--kernel NAME] [REPETITIONS]

Counts in a guest of that kernel (6.1; see scripts/deps.sh), that many times (5).

exit status: 0 done, 1 something failed in the guest, 2 wrong usage, 3 something is
not there, 125 the guest failed.
END
}

tracers=("nothing" "module, clock boot" "module, clock mono" "module, clock tsc"
	"BPF source, clock boot" "ftrace switch+waking" "ftrace switch+wakeup")

# --- in the guest ------------------------------------------------------------------

# count TRACER LABEL COMMAND...: prints tracer, what was counted, ns per switch.
count() {
	local tracer=$1 how
	shift
	for how in yield pipe; do
		printf '%s\t%s\t' "$tracer" "$how"
		"$@" selftests/switches "$how" "$runs"
	done
}

with_collector() {
	local source=$1 clock=$2
	shift 2
	collector/fxt-collect -q -s "$source" -c "$clock" -b 64M -o /tmp/bench.fxt -- "$@"
	rm /tmp/bench.fxt
}

# with_ftrace EVENT COMMAND...: that event of the scheduler, and its switches.
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

measure() {
	local tracer=$1
	case $tracer in
	nothing) count "$tracer" ;;
	module*) count "$tracer" with_collector kmod "${tracer##* }" ;;
	BPF*) count "$tracer" with_collector bpf boot ;;
	ftrace*) count "$tracer" with_ftrace "sched_${tracer##*+}" ;;
	esac
}

# The work that a boot leaves for later comes first.
in_guest() {
	local module=$1 repetitions=$2 tracer i
	insmod "$module"
	sleep 8
	for ((i = 0; i < repetitions; i++)); do
		for tracer in "${tracers[@]}"; do measure "$tracer"; done
	done
}

# --- outside -----------------------------------------------------------------------

# Medians; "nothing" is printed as it is, what tracers add to it as differences.
summarise() {
	awk -F '\t' -v release="$release" -v list="$(IFS=';'; echo "${tracers[*]}")" -v json="$json" '
		{ k = $1 FS $2; t[k, ++n[k]] = $3 }
		function median(k,   i, j, x) {
			for (i = 2; i <= n[k]; i++)
				for (j = i; j > 1 && t[k, j] < t[k, j - 1]; j--) {
					x = t[k, j]; t[k, j] = t[k, j - 1]; t[k, j - 1] = x
				}
			return t[k, int((n[k] + 1) / 2)]
		}
		END {
			count = split(list, order, ";")
			printf "%-24s %9s %9s %9s %9s\n", "instructions per", "switch", "wakeup", "both", "module ="
			out = sprintf("{\"kernel\":\"%s\",\"tracers\":[", release)
			for (i = 1; i <= count; i++) {
				y[i] = median(order[i] FS "yield"); p[i] = median(order[i] FS "pipe")
				if (i > 1) { y[i] -= y[1]; p[i] -= p[1] }
				printf "%-24s %9.0f %9.0f %9.0f", order[i], y[i], p[i] - y[i], p[i]
				if (i > 1) printf " %9.2f", p[i] / p[2]
				print ""
				out = out sprintf("%s{\"tracer\":\"%s\",\"switch\":%.1f,\"wakeup\":%.1f,\"both\":%.1f}", i > 1 ? "," : "", order[i], y[i], p[i] - y[i], p[i])
				if (i == 1) print "of which are added by"
			}
			if (json != "") print out "]}" > json
		}'
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
	[[ $# == 0 && $repetitions =~ ^[1-9][0-9]*$ ]] || { usage >&2; exit 2; }
}

main() {
	local module
	if [[ ${1-} == --in-guest ]]; then
		in_guest "${@:2}"
		return
	fi
	parse "$@"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/.."
	[[ -x collector/fxt-collect ]] || die 3 "collector/fxt-collect is not built: make collector"
	[[ -x selftests/switches ]] || die 3 "selftests/switches is not built: make selftests"
	module=$("$here/build-module.sh" "$kernel") || exit 3
	release=$(<"$(kernel_dir "$kernel")/release")
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	echo "kernel: $release, $repetitions times, median"
	"$here/vm.sh" --kernel "$kernel" --icount --smp 1 -- \
		scripts/bench-instructions.sh --in-guest "$module" "$repetitions" >"$work/counts" ||
		die "$?" "counting in a guest of kernel $kernel failed (see above): $(tail -n 1 "$work/counts")"
	summarise <"$work/counts"
}

main "$@"
