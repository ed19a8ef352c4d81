#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures fxt-collect itself: the time until it records and until its file is complete,
# its CPU time on an idle and on a busy machine, its memory.
#
# In:  repetitions; selftests/lifetime, which measures both times, selftests/delays and
#      selftests/pingpongs; root.
# Out: a table of medians, kept by results.sh, and as JSON in a file if one is given.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"

short_ms=1000
long_ms=6000

usage() {
	cat <<'END'
usage: scripts/bench/collector.sh [--json FILE] [REPETITIONS]

Records with BPF and default buffers, REPETITIONS times (default: 5), this machine as it is
and under ping-pongs on every CPU, and prints

  start ms    from the start of fxt-collect to the first record
  its CPU ms  CPU time of a recording of one second, nearly all for starting
  stop ms     from SIGINT to its end
  CPU %       of one CPU, without starting
  ms/M        milliseconds of CPU per million records, without starting
  RSS MiB     largest resident memory, including its buffers

and, under two ping-pongs on every CPU, the medians and the longest of

  start ms     from the time of --start-at until it records
  stop ms      from SIGINT until it no longer records
  segment ms   delay of the beginning of segments of 100 ms
  snapshot ms  from SIGUSR1 until a flight recorder has frozen its buffers

"idle" includes whatever else runs on this machine. Requires root.

exit status: 0 done, 1 a recording failed, 2 wrong usage, 3 a program is missing.
END
}

# measure LOAD MS: prints both, then the line of selftests/lifetime.
measure() {
	local pid='' status=0
	if [[ $1 == ping-pongs ]]; then
		selftests/pingpongs ms $(($2 + 3000)) &
		pid=$!
		sleep 0.2
	fi
	printf '%s\t%s\t' "$1" "$2"
	selftests/lifetime "$2" "$work/sched.fxt" collector/fxt-collect/fxt-collect -q -s bpf \
		-o "$work/sched.fxt" 2>"$work/said" || status=$?
	[[ -z $pid ]] || { kill "$pid"; wait "$pid" || true; } 2>/dev/null
	rm -f -- "$work/sched.fxt"
	((status == 0)) || die 1 "recording $1 failed: $(tail -n 1 "$work/said")"
}

measure_all() {
	local i load
	for ((i = 0; i < repetitions; i++)); do
		for load in idle ping-pongs; do
			measure "$load" "$short_ms"
			measure "$load" "$long_ms"
		done
	done
}

# Two ping-pongs a CPU: under such a load, waiting for a grace period of all CPUs takes long.
measure_delays() {
	local i pids=()
	for ((i = 0; i < repetitions; i++)); do
		selftests/pingpongs ms 60000 &
		pids=($!)
		selftests/pingpongs ms 60000 &
		pids+=($!)
		sleep 0.2
		selftests/delays "$work/delays" collector/fxt-collect/fxt-collect -s bpf 2>"$work/said" ||
			die 1 "recording under two ping-pongs a CPU failed: $(tail -n 1 "$work/said")"
		{ kill "${pids[@]}"; wait "${pids[@]}" || true; } 2>/dev/null
	done
}

summarise_delays() {
	tr ' ' '\t' | awk "$bench_awk"'
		BEGIN { kinds = split("start stop segment snapshot", what, " ") }
		{
			for (i = 1; i <= kinds; i++) {
				note(what[i], $i / 1e6)
				if ($i / 1e6 > worst[i])
					worst[i] = $i / 1e6
			}
		}
		END {
			print "of", "start_ms", "stop_ms", "segment_ms", "snapshot_ms"
			print "two ping-pongs a CPU", "start ms", "stop ms", "segment ms", "snapshot ms"
			printf "median"
			for (i = 1; i <= kinds; i++)
				printf "\t%.1f", median(what[i])
			printf "\nlongest"
			for (i = 1; i <= kinds; i++)
				printf "\t%.1f", worst[i]
			print ""
		}'
}

# A long run follows a short one, whose CPU time is that of starting.
summarise() {
	tr ' ' '\t' | awk -v short="$short_ms" "$bench_awk"'
		{
			note($1 "start", $3 / 1e6); note($1 "stop", $4 / 1e6); note($1 "rss", $6 / 1024)
			if ($2 == short) {
				begun = $5; records = $7
				note($1 "begun", $5 / 1e6)
				next
			}
			note($1 "share", ($5 - begun) / ($2 - short) / 1e4)
			note($1 "own", ($5 - begun) / ($7 - records))
		}
		END {
			print "load", "start_ms", "start_cpu_ms", "stop_ms", "cpu_percent", "ms_per_million_records", "rss_mib"
			print "machine", "start ms", "its CPU ms", "stop ms", "CPU %", "ms/M", "RSS MiB"
			split("idle ping-pongs", load, " ")
			for (i = 1; i <= 2; i++)
				print load[i], sprintf("%.1f", median(load[i] "start")),
					sprintf("%.1f", median(load[i] "begun")),
					sprintf("%.1f", median(load[i] "stop")),
					sprintf("%.3f", median(load[i] "share")),
					(i > 1 ? sprintf("%.1f", median(load[i] "own")) : "-"),
					sprintf("%.1f", median(load[i] "rss"))
		}'
}

main() {
	json='' repetitions=5
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=${2:?}; shift 2 ;;
		*) repetitions=$1; shift; break ;;
		esac
	done
	if (($# > 0)) || ! bench_count "$repetitions"; then
		usage >&2
		exit 2
	fi
	((EUID == 0)) || die 3 "recording the whole machine requires root; use sudo"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/../.."
	bench_needs collector/fxt-collect/fxt-collect selftests/{pingpongs,lifetime,delays}
	[[ -e /sys/kernel/btf/vmlinux ]] || die 3 "this kernel has no BTF, so BPF cannot record"
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	measure_all >"$work/runs"
	mkdir -- "$work/delays"
	measure_delays >"$work/runs.delays"
	summarise <"$work/runs" >"$work/table"
	summarise_delays <"$work/runs.delays" >"$work/table.delays"
	{
		bench_machine
		echo "$short_ms and $long_ms ms, $repetitions times, medians"
		bench_columns <"$work/table"
		echo
		bench_columns <"$work/table.delays"
	} >"$work/text"
	# One object: the rows of the second table are its "delays".
	bench_json <"$work/table.delays" >"$work/delays.json"
	bench_json machine "$(bench_machine)" repetitions "$repetitions" <"$work/table" |
		sed "s/}\$/,$(sed 's/^{"rows"/"delays"/' "$work/delays.json")/" >"$work/json"
	bench_keep collector "$work" "$json"
}

main "$@"
