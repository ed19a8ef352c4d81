#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures how the cost of fxt's commands grows with the length of an archive, and the cost of
# fxt-collect with the number of existing threads and with the size of the buffers.
#
# In:  largest number of records and of threads; selftests/generate, selftests/measure,
#      selftests/lifetime; root.
# Out: three tables, kept by results.sh, and as JSON in a file if one is given. With --lengths,
#      only the first of them, with all commands.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"

verbs=("info" "check" "dump" "report" "convert --to json" "convert --to perfetto")
# With --lengths. diff and merge read the archive twice.
all_verbs=("info" "check" "report" "report --html" "why" "blame" "assert" "diff" "dump" "dump --json"
	"cut" "merge" "convert --to json" "convert --to ftrace" "convert --to perfetto"
	"convert --to csv" "convert --to parquet" "convert --to sqlite")
threads_of=(0 1000 10000 100000)
buffers=(4M 16M 64M)
record_ms=500
rounds=300000		# of each CPU; a round is two switches, each with its wakeup

usage() {
	cat <<'END'
usage: scripts/bench/growth.sh [--json FILE] [--records N] [--threads N] [REPETITIONS]
       scripts/bench/growth.sh --lengths [--json FILE] [--records N] [REPETITIONS]

Prints, as medians of REPETITIONS runs (default: 3),

  CPU s, MiB  of commands of fxt that read archives of 100,000 to N records (default:
              10,000,000): CPU time, and largest resident memory
  start ms    until fxt-collect records, its CPU time for a recording of half a second, and
              its memory, with 0 to N additional sleeping threads (default: 10,000)
  the same    with buffers of several sizes
  ns          CPU time of a context switch with its wakeup while 1, 2, 4 and more CPUs, up to all
              of this machine, do nothing else; what recording adds to it, and what the collector
              takes for it, without its start and its end

With --lengths, prints the first of these tables only, with each command that reads archives.
100,000,000 records take 5 GB in $TMPDIR, and their tables 16 GB.

Records with BPF, and requires root, except with --lengths.

exit status: 0 done, 1 a command failed, 2 wrong usage, 3 a program is missing.
END
}

# Sets words to the arguments of fxt.
words_of() {
	local archive=$2
	read -ra words <<<"$1"
	case $1 in
	"report --html") words+=("$work/page.html" --force "$archive") ;;
	cut) words+=(-o /dev/null "$archive") ;;
	merge) words+=(-o /dev/null "$archive" "$archive") ;;
	diff) words+=("$archive" -- "$archive") ;;
	assert) words+=("p99(wait) < 1s" "$archive") ;;
	*csv | *parquet | *sqlite) words+=(-o "$work/tables" "$archive") ;;
	*) words+=("$archive") ;;
	esac
}

# read_by VERB RECORDS: prints both, then CPU s and MiB.
read_by() {
	local words ns kib
	words_of "$1" "$work/archive.fxt"
	selftests/measure "$work/took" collector/fxt/fxt "${words[@]}" >/dev/null 2>"$work/said" ||
		die 1 "fxt $1 failed: $(tail -n 1 "$work/said")"
	read -r _ ns _ kib <"$work/took"
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$ns" "$kib"
	rm -rf -- "$work/tables"
}

measure_lengths() {
	local records i verb
	for ((records = 100000; records <= most_records; records *= 10)); do
		selftests/generate sched "$records" 2 marks 1 >"$work/archive.fxt"
		for ((i = 0; i < repetitions; i++)); do
			for verb; do read_by "$verb" "$records"; done
		done
	done
}

# record_beside WHAT VALUE [OPTION...]: prints WHAT, VALUE, then ms to start, CPU ms, MiB.
record_beside() {
	local start cpu kib
	selftests/lifetime "$record_ms" "$work/sched.fxt" collector/fxt-collect/fxt-collect -q -s bpf \
		-o "$work/sched.fxt" "${@:3}" >"$work/took" 2>"$work/said" ||
		die 1 "recording beside $2 $1 failed: $(tail -n 1 "$work/said")"
	read -r start _ cpu kib _ <"$work/took"
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$start" "$cpu" "$kib"
	rm -f -- "$work/sched.fxt"
}

# start_sleepers COUNT: starts a process with COUNT threads; its id is in $sleepers.
start_sleepers() {
	sleepers=''
	(($1 > 0)) || return 0
	selftests/sleepers "$1" >"$work/ready" &
	sleepers=$!
	until [[ -s $work/ready ]]; do
		[[ -d /proc/$sleepers ]] || die 1 "cannot start $1 threads; use a smaller --threads"
		sleep 0.1
	done
}

stop_sleepers() {
	[[ -z ${sleepers-} ]] || { kill "$sleepers"; wait "$sleepers" || true; } 2>/dev/null
	sleepers=''
	rm -f -- "$work/ready"
}

measure_recorder() {
	local count size i
	for count in "${threads_of[@]}"; do
		((count <= most_threads)) || continue
		start_sleepers "$count"
		for ((i = 0; i < repetitions; i++)); do record_beside threads "$count"; done
		stop_sleepers
	done
	for size in "${buffers[@]}"; do
		for ((i = 0; i < repetitions; i++)); do record_beside buffer "$size" -b "$size"; done
	done
}

# busy_on CPUS NAME [COMMAND...]: prints CPUS, NAME and the work's own ns of CPU time, then "NAME
# all" and those of COMMAND, which runs the work.
busy_on() {
	local cpus=$1 name=$2 inner outer
	shift 2
	taskset -c "0-$((cpus - 1))" selftests/measure "$work/outer" "$@" \
		selftests/measure "$work/inner" selftests/pingpongs rounds "$rounds" 2>"$work/said" ||
		die 1 "$name with $cpus busy CPUs failed: $(tail -n 1 "$work/said")"
	read -r _ inner _ <"$work/inner"
	read -r _ outer _ <"$work/outer"
	printf '%s\t%s\t%s\n' "$cpus" "$name" "$inner" "$cpus" "$name all" "$outer"
}

measure_cpus() {
	local cpus i all record
	all=$(nproc)
	record=(collector/fxt-collect/fxt-collect -q -s bpf -b 16M -o "$work/sched.fxt" --)
	for ((cpus = 1; cpus <= all; cpus *= 2)); do
		for ((i = 0; i < repetitions; i++)); do
			busy_on "$cpus" nothing
			busy_on "$cpus" recording "${record[@]}"
			selftests/measure "$work/outer" "${record[@]}" true 2>"$work/said" ||
				die 1 "recording failed: $(tail -n 1 "$work/said")"
			printf '%s\tends\t%s\n' "$cpus" "$(cut -d ' ' -f 2 "$work/outer")"
		done
	done
	rm -f -- "$work/sched.fxt"
}

summarise_cpus() {
	awk -v rounds="$rounds" "$bench_awk"'
		function of(cpus, name) { return median(cpus FS name) / (cpus * rounds * 2) }
		{
			if (!($1 in known)) { known[$1] = 1; order[++rows] = $1 }
			note($1 FS $2, $3)
		}
		END {
			print "cpus", "switch_ns", "recording_ns", "collector_ns"
			print "busy CPUs", "switch ns", "recording adds", "the collector takes"
			for (i = 1; i <= rows; i++) {
				c = order[i]
				print c, sprintf("%.0f", of(c, "nothing")),
					sprintf("%.0f", of(c, "recording") - of(c, "nothing")),
					sprintf("%.0f", of(c, "recording all") - of(c, "recording") - of(c, "ends"))
			}
		}'
}

summarise_lengths() {
	awk "$bench_awk"'
		{
			k = $1 FS $2
			if (!(k in known)) { known[k] = 1; order[++keys] = k }
			note(k FS "cpu", $3 / 1e9)
			note(k FS "memory", $4 / 1024)
		}
		END {
			print "command", "records", "cpu_seconds", "ns_per_record", "memory_mib"
			print "fxt", "records", "CPU s", "ns/record", "MiB"
			for (i = 1; i <= keys; i++) {
				k = order[i]
				split(k, f)
				cpu = median(k FS "cpu")
				print f[1], f[2], sprintf("%.3f", cpu), sprintf("%.0f", cpu * 1e9 / f[2]),
					sprintf("%.1f", median(k FS "memory"))
			}
		}'
}

summarise_recorder() {
	awk "$bench_awk"'
		{
			k = $1 FS $2
			if (!(k in known)) { known[k] = 1; order[++keys] = k }
			note(k FS "start", $3 / 1e6)
			note(k FS "cpu", $4 / 1e6)
			note(k FS "memory", $5 / 1024)
		}
		END {
			print "what", "value", "start_ms", "cpu_ms", "memory_mib"
			print "beside", "value", "start ms", "CPU ms", "MiB"
			for (i = 1; i <= keys; i++) {
				k = order[i]
				split(k, f)
				print f[1], f[2], sprintf("%.1f", median(k FS "start")),
					sprintf("%.1f", median(k FS "cpu")), sprintf("%.1f", median(k FS "memory"))
			}
		}'
}

parse() {
	json='' lengths='' most_records=10000000 most_threads=10000 repetitions=3
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=${2:?}; shift 2 ;;
		--lengths) lengths=yes; shift ;;
		--records) most_records=${2:?}; shift 2 ;;
		--threads) most_threads=${2:?}; shift 2 ;;
		*) repetitions=$1; shift; break ;;
		esac
	done
	if (($# > 0)) || ! bench_count "$repetitions" || ! bench_count "$most_records" ||
		! bench_count "$most_threads"; then
		usage >&2
		exit 2
	fi
}

# shellcheck disable=SC2317 # the trap calls it
clean_up() {
	stop_sleepers
	rm -rf -- "$work"
}

run_lengths() {
	measure_lengths "${all_verbs[@]}" >"$work/runs"
	summarise_lengths <"$work/runs" >"$work/table"
	{
		bench_machine
		echo "runs of each: $repetitions, medians"
		bench_columns <"$work/table"
	} >"$work/text"
	bench_json machine "$(bench_machine)" repetitions "$repetitions" <"$work/table" >"$work/json"
	bench_keep lengths "$work" "$json"
}

run_all() {
	measure_lengths "${verbs[@]}" >"$work/runs.lengths"
	measure_recorder >"$work/runs"
	measure_cpus >"$work/runs.cpus"
	summarise_lengths <"$work/runs.lengths" >"$work/table.lengths"
	summarise_recorder <"$work/runs" >"$work/table"
	summarise_cpus <"$work/runs.cpus" >"$work/table.cpus"
	{
		bench_machine
		echo "$repetitions times, medians"
		bench_columns <"$work/table.lengths"
		echo
		bench_columns <"$work/table"
		echo
		bench_columns <"$work/table.cpus"
	} >"$work/text"
	# One object: the rows of the other tables are its "lengths" and "cpus".
	bench_json <"$work/table.lengths" | sed 's/^{"rows"/"lengths"/; s/}$//' >"$work/lengths.json"
	bench_json <"$work/table.cpus" | sed 's/^{"rows"/"cpus"/' >"$work/cpus.json"
	bench_json machine "$(bench_machine)" repetitions "$repetitions" <"$work/table" |
		sed "s/}\$/,$(<"$work/lengths.json"),$(<"$work/cpus.json")/" >"$work/json"
	bench_keep growth "$work" "$json"
}

main() {
	parse "$@"
	[[ -n $lengths ]] || ((EUID == 0)) ||
		die 3 "recording the whole machine requires root; use sudo, or --lengths"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/../.."
	bench_needs collector/fxt/fxt selftests/{generate,measure}
	[[ -n $lengths ]] || bench_needs collector/fxt-collect/fxt-collect \
		selftests/{lifetime,pingpongs,sleepers}
	work=$(mktemp -d)
	trap clean_up EXIT
	if [[ -n $lengths ]]; then
		run_lengths
	else
		run_all
	fi
}

main "$@"
