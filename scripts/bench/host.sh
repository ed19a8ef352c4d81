#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares what tracers cost the machine that they record: the BPF source, ftrace through its files,
# trace-cmd, perf, Perfetto, as far as they are installed.
#
# In:  repetitions, milliseconds of work; selftests/pingpongs and hackbench as work;
#      tools.sh, which runs each tracer; root.
# Out: a table of medians, kept by results.sh, and as JSON in a file if one is given.
#
# The work is a fixed amount that keeps all CPUs busy. Its CPU time is measured, so that other work
# hardly matters. Each repetition runs all tracers in random order, and the work twice without a
# tracer; the mean of the latter is the reference.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"
# shellcheck source-path=SCRIPTDIR source=tools.sh
. "$here/tools.sh"

hackbench_groups=4
declare -A trial=([pipe]=20000 [hackbench]=100)	# amount of work of the trial run
declare -A amount=()

usage() {
	cat <<'END'
usage: scripts/bench/host.sh [--stacks] [--json FILE] [--ms MS] [--tools NAME,...]
                             [REPETITIONS]

Runs ping-pongs on every CPU, and hackbench, for MS milliseconds (default: 1000),
REPETITIONS times (default: 5) with each tracer and twice as often without one, and prints

  CPU =      CPU time of work and tracer, relative to that of the work alone
  ns         additional CPU time of a context switch with its wakeup;
             for "nothing" the whole time
  bytes      size on disk per context switch
  s/M        CPU seconds of the tracer's own processes per million records
  M records  recorded in all repetitions together
  lost       records that the tracer reports as lost, in all repetitions

Tracers: empty_like and empty (2 and 3 BPF programs that do nothing), fxt, fxt_like, fxt_zstd,
ftrace, trace_cmd, perf_record, perf_sched, perfetto; wprof and systing with their defaults,
wprof_sched and systing_sched with switches and wakeups only.
Missing and failing ones are omitted; scripts/deps.sh bench installs the others, and wprof
and systing are used where they are in PATH. Requires root.

With --stacks, as scripts/bench/stacks.sh: ping-pongs only, the tracers fxt, fxt_stacks,
fxt_stacks_1ms, perf_sched, perf_stacks, and instead of s/M

  stop ms    from the end of the work until the tracer has ended and its file is complete
  MiB        largest resident memory of the tracer

exit status: 0 done, 1 a run failed, 2 wrong usage, 3 a program is missing; 130, 143
interrupted.
END
}

# --- work ------------------------------------------------------------------------

# set_work LOAD AMOUNT: sets the command for that amount of work.
set_work() {
	case $1 in
	pipe) work_command=(selftests/pingpongs rounds "$2") ;;
	hackbench) work_command=(hackbench -p -g "$hackbench_groups" -l "$2") ;;
	esac
}

# calibrate LOAD: finds the amount that keeps all CPUs busy for the requested time.
calibrate() {
	local cpu
	set_work "$1" "${trial[$1]}"
	selftests/measure "$work/load" "${work_command[@]}" >/dev/null ||
		die 1 "${work_command[*]} failed: see above"
	read -r _ cpu _ <"$work/load"
	amount[$1]=$((trial[$1] * ms * 1000000 * $(nproc) / cpu + 1))
}

# --- measuring ---------------------------------------------------------------------

# with_tool NAME COMMAND...: runs COMMAND while that tracer, or none, records.
with_tool() {
	local name=$1
	shift
	if [[ $name != nothing ]]; then
		"run_$name" "$@"
		return
	fi
	: >"$work/tool"
	echo "0 0" >"$work/told"
	"$@" &>"$work/said"
}

# ms_between FILE FILE: prints the ms between the writes of the two files.
ms_between() {
	stat -c %.Y -- "$1" "$2" | awk 'NR == 1 { from = $1 } END { printf "%.1f", ($1 - from) * 1e3 }'
}

# measure REPETITION LOAD NAME: prints these, then ns of the work, its CPU ns and its
# switches, CPU ns of the tracer, its records, losses, bytes, ms that it took to stop, and KiB
# of memory.
measure() {
	local ns cpu switches own records lost bytes stop memory
	rm -rf -- "$work/out" "$work"/reader.*
	mkdir -- "$work/out"
	set_work "$2" "${amount[$2]}"
	if ! with_tool "$3" selftests/measure "$work/load" "${work_command[@]}"; then
		tail -n 5 -- "$work/said" >&2
		die 1 "recording $2 by $3 failed (see above); use --tools to omit it"
	fi
	read -r ns cpu switches _ <"$work/load"
	own=$(awk '{ sum += $2 } END { printf "%.0f", sum }' "$work/tool")
	[[ -z ${tool_nested[$3]-} ]] || own=$((own - cpu))
	read -r records lost <"$work/told"
	bytes=$(find "$work/out" -type f -printf '%s\n' | awk '{ sum += $1 } END { printf "%.0f", sum }')
	stop=$(ms_between "$work/load" "$work/tool")
	memory=$(awk '$4 > most { most = $4 } END { print most + 0 }' "$work/tool")
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$ns" "$cpu" \
		"$switches" "$own" "$records" "$lost" "$bytes" "$stop" "$memory"
}

measure_all() {
	local i load name
	for ((i = 0; i < repetitions; i++)); do
		for load in "${loads[@]}"; do
			while read -r name; do
				measure "$i" "$load" "$name" </dev/null
			done < <(printf '%s\n' nothing nothing "${tools[@]}" | shuf)
		done
	done
}

# Medians of the ratios within a repetition.
summarise() {
	local name
	awk -v list="nothing ${tools[*]}" -v loads="${loads[*]}" -v stacks="$stacks" -v titles="nothing;$(
		for name in "${tools[@]}"; do printf 'added by %s;' "${tool_titles[$name]}"; done
	)" "$bench_awk"'
		function read_run(f,	k) {
			k = f[2] FS f[3] FS
			note(k "cpu", (f[5] + f[7]) / base[f[1], f[2]])
			note(k "ns", (f[5] - (f[3] == "nothing" ? 0 : base[f[1], f[2]])) / f[6])
			if (f[3] == "nothing")
				return
			note(k "bytes", f[10] / f[6])
			if (f[9] != "-")
				note(k "lost", f[9])
			note(k "stop", f[11])
			note(k "memory", f[12] / 1024)
			# perf without build ids does not count them.
			if (f[8] > 0) {
				note(k "records", f[8])
				note(k "own", f[7] / f[8] / 1e3)
			}
		}
		function costs(k) {
			if (stacks)
				return as("%.0f", median(k "stop")) OFS as("%.1f", median(k "memory"))
			return as("%.3f", median(k "own"))
		}
		$3 == "nothing" { base[$1, $2] += $5 / 2 }
		{ line[NR] = $0 }
		END {
			for (i = 1; i <= NR; i++) { split(line[i], f); read_run(f) }
			print "tracer", "load", "cpu_ratio", "ns_per_switch", "bytes_per_switch",
				(stacks ? "stop_ms" OFS "memory_mib" : "seconds_per_million_records"),
				"million_records", "lost"
			print "CPU time", "load", "CPU =", "ns", "bytes",
				(stacks ? "stop ms" OFS "MiB" : "s/M"), "M records", "lost"
			n = split(list, name, " "); m = split(loads, load, " "); split(titles, title, ";")
			for (j = 1; j <= m; j++)
				for (i = 1; i <= n; i++) {
					k = load[j] FS name[i] FS
					records = total(k "records")
					print title[i], load[j], as("%.3f", median(k "cpu")),
						as("%.0f", median(k "ns")), as("%.1f", median(k "bytes")),
						costs(k),
						records == "-" ? "-" : sprintf("%.2f", records / 1e6),
						total(k "lost")
				}
		}'
}

# End the tracers however this script ends.
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
	local running
	mapfile -t running < <(jobs -p)
	if ((${#running[@]} > 0)); then
		kill -TERM "${running[@]}" 2>/dev/null || true
		wait || true
	fi
	end_ftrace
	rm -rf -- "$work"
}

# --- available tracers ---------------------------------------------------------------

find_tools() {
	local name why
	tools=()
	for name in $wanted; do
		[[ -n ${tool_titles[$name]-} ]] || die 2 "$name: unknown tracer; see scripts/bench/host.sh --help"
		why=$("missing_$name")
		if [[ -n $why ]]; then
			say "${tool_titles[$name]} is omitted: $why"
		else
			tools+=("$name")
		fi
	done
	loads=(pipe)
	[[ -z $stacks ]] || return 0
	if command -v hackbench >/dev/null; then
		loads+=(hackbench)
	else
		say "hackbench is omitted: not installed; run scripts/deps.sh bench"
	fi
}

# An installed tracer may not work on this kernel.
try_tools() {
	local name working=()
	for name in "${tools[@]}"; do
		mkdir -p -- "$work/out"
		if with_tool "$name" selftests/measure "$work/load" selftests/pingpongs rounds 1000; then
			working+=("$name")
		else
			tail -n 5 -- "$work/said" >&2
			say "${tool_titles[$name]} is omitted: it fails here (see above)"
		fi
		rm -rf -- "$work/out"
	done
	tools=("${working[@]}")
}

parse() {
	json='' ms=1000 repetitions=5 stacks='' wanted=${tool_names[*]}
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=${2:?}; shift 2 ;;
		--ms) ms=${2:?}; shift 2 ;;
		--tools) wanted=${2//,/ }; shift 2 ;;
		--stacks)
			stacks=yes wanted=${stack_tool_names[*]}
			perf_options=(--no-buildid)
			shift
			;;
		*) repetitions=$1; shift; break ;;
		esac
	done
	if (($# > 0)) || ! bench_count "$repetitions" || ! bench_count "$ms"; then
		usage >&2
		exit 2
	fi
}

main() {
	local load name=host
	parse "$@"
	((EUID == 0)) || die 3 "recording the whole machine requires root; use sudo"
	# A mount namespace of its own: these mounts are private.
	[[ -n ${FXT_BENCH_PRIVATE-} ]] ||
		exec env FXT_BENCH_PRIVATE=1 unshare --mount "$here/host.sh" "$@"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/../.."
	bench_needs collector/fxt-collect/fxt-collect selftests/{empty_programs,pingpongs,measure,perfetto_stats}
	work=$(mktemp -d)
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	open_tracefs || say "tracefs cannot be mounted: tracers that need it are omitted or fail"
	find_tools
	try_tools
	((${#tools[@]} > 0)) || die 3 "no tracer to measure: see above"
	for load in "${loads[@]}"; do calibrate "$load"; done
	measure_all >"$work/runs"
	summarise <"$work/runs" >"$work/table"
	{
		bench_machine
		echo "$ms ms of work, $repetitions times, medians"
		bench_columns <"$work/table"
	} >"$work/text"
	bench_json machine "$(bench_machine)" ms "$ms" repetitions "$repetitions" \
		<"$work/table" >"$work/json"
	[[ -z $stacks ]] || name=stacks
	bench_keep "$name" "$work" "$json"
}

main "$@"
