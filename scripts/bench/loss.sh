#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures how many records a second fxt-collect can store before it loses some, at rates from a
# few up to those of CPUs that do nothing but switch.
#
# In:  seconds per step, size of the buffers; selftests/pingpongs; root. Uses the module in a
#      guest, else BPF.
# Out: a table (records per second, lost, the collector's own CPU time), and the rate at
#      which losses begin, kept by results.sh; JSON in a file if one is given.
#
# The load is processes that pass a token to and fro on each CPU, with a pause after
# each round. They run during the pause, so that the collector has to share its CPU
# with them at every rate. Then ping-pongs without a pause, with high priority, compete with busy
# threads, so that the reader of the buffers has to wait for a CPU.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"

busy=20			# threads that want a CPU all the time
busy_nice=-15		# of the ping-pongs that compete with them, so that these still switch
pauses_us=(1000 300 100 30 10 3 1 0)	# each about a third of the previous one

usage() {
	cat <<'END'
usage: scripts/bench/loss.sh [--json FILE] [--guest] [--kernel NAME] [--ms MS]
                             [--buffer SIZE] [REPETITIONS]

Records ping-pongs at eight rates, for MS milliseconds each (default: 2000), REPETITIONS
times (default: 3), with buffers of SIZE (default: those of fxt-collect), and prints the
records per second, the percentage lost, and the collector's share of a CPU; then the same of
ping-pongs that compete with 20 busy threads, without and with all stacks. Uses BPF on this
machine and requires root; with --guest also the module, in a guest with kernel NAME
(default: 6.1), whose emulated CPUs are some twenty times slower.

exit status: 0 done, 1 a recording failed, 2 wrong usage, 3 a program is missing,
125 the guest failed.
END
}

# --- measuring ---------------------------------------------------------------------

# number NAME: a number from the first level of the recording's statistics.
number() {
	grep -o -m 1 "\"$1\":[0-9]*" "$work/stats.json" | head -n 1 | cut -d : -f 2
}

# measure SOURCE PAUSE [OPTION...]: prints both, then ns, records, lost, CPU ns of the
# collector. $before: what runs the ping-pongs.
measure() {
	local ns cpu own options=(-q -s "$1" -o "$work/sched.fxt" --stats-json "$work/stats.json"
		"${@:3}")
	[[ -z $buffer ]] || options+=(-b "$buffer")
	# Losses are expected here, not a failure.
	selftests/measure "$work/tool" collector/fxt-collect/fxt-collect "${options[@]}" -- \
		selftests/measure "$work/load" "${before[@]}" selftests/pingpongs ms "$ms" $(($2 * 1000)) \
		&>"$work/said" ||
		die 1 "recording ping-pongs by $1 failed: $(tail -n 1 "$work/said")"
	read -r ns cpu _ <"$work/load"
	read -r _ own _ <"$work/tool"
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$ns" \
		$(($(number switches) + $(number wakeups))) "$(number lost)" $((own - cpu))
	rm -f -- "$work/sched.fxt"
}

measure_all() {
	local i pause before=()
	for ((i = 0; i < repetitions; i++)); do
		for pause in "${pauses_us[@]}"; do measure "$1" "$pause"; done
	done
}

# measure_busy SOURCE: as measure, with a text in place of the pause.
measure_busy() {
	local i pids=() before=(nice -n "$busy_nice")
	for ((i = 0; i < busy; i++)); do
		sh -c 'while :; do :; done' &
		pids+=($!)
	done
	measure "$1" 0 | sed "s/\t0\t/\tbusy\t/"
	measure "$1" 0 --stacks offcpu,wake --stacks-min 0 | sed "s/\t0\t/\tbusy, stacks\t/"
	{ kill "${pids[@]}"; wait "${pids[@]}" || true; } 2>/dev/null
}

measure_busy_all() {
	local i
	for ((i = 0; i < repetitions; i++)); do measure_busy "$1"; done
}

in_guest() {
	local module=$1
	ms=$2 buffer=$3 repetitions=$4
	work=/tmp/bench-loss
	mkdir -- "$work"
	insmod "$module"
	measure_all kmod
}

# --- results -------------------------------------------------------------------------

# Prints medians; the loss at a rate is the sum of all its repetitions.
summarise() {
	awk "$bench_awk"'
		{
			k = $1 FS $2
			if (!(k in known)) { known[k] = 1; order[++keys] = k }
			note(k FS "rate", ($4 + $5) / $3 * 1e6)
			note(k FS "own", $6 / $3 * 100)
			note(k FS "records", $4 + $5)
			note(k FS "lost", $5)
		}
		END {
			print "source", "pause_us", "thousand_records_per_second", "lost", "lost_percent", "cpu_percent"
			print "source", "pause us", "1000 records/s", "lost", "lost %", "CPU %"
			for (i = 1; i <= keys; i++) {
				k = order[i] FS
				split(order[i], f)
				lost = total(k "lost")
				print f[1], f[2], sprintf("%.0f", median(k "rate")), lost,
					sprintf("%.3f", 100 * lost / total(k "records")),
					sprintf("%.1f", median(k "own"))
			}
		}'
}

# knees: the first rate in such a table at which each source lost records.
knees() {
	awk -F '\t' '
		NR < 3 { next }
		!($1 in last) { order[++sources] = $1 }
		{ last[$1] = $3 }
		$4 == 0 && !($1 in knee) { good[$1] = $3 }
		$4 > 0 && !($1 in knee) { knee[$1] = $3 }
		END {
			for (i = 1; i <= sources; i++) {
				s = order[i]
				printf "%s loses ", s
				if (!(s in knee))
					printf "nothing up to the highest rate, %d", last[s]
				else if (s in good)
					printf "nothing at %d, but some at %d", good[s], knee[s]
				else
					printf "some already at the lowest rate, %d", knee[s]
				print " thousand records a second"
			}
		}'
}

parse() {
	json='' guest='' kernel=6.1 ms=2000 buffer='' repetitions=3
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=${2:?}; shift 2 ;;
		--guest) guest=yes; shift ;;
		--kernel) kernel=${2:?}; shift 2 ;;
		--ms) ms=${2:?}; shift 2 ;;
		--buffer) buffer=${2:?}; shift 2 ;;
		*) repetitions=$1; shift; break ;;
		esac
	done
	if (($# > 0)) || ! bench_count "$repetitions" || ! bench_count "$ms"; then
		usage >&2
		exit 2
	fi
}

# All CPUs of the guest share one CPU of this machine.
measure_guest() {
	local module
	module=$("$here/../build-module.sh" "$kernel") || exit 3
	"$here/../vm.sh" --kernel "$kernel" --mem 2G -- \
		scripts/bench/loss.sh --in-guest "$module" "$ms" "$buffer" "$repetitions" >"$work/guest" ||
		die "$?" "recording in a guest of kernel $kernel failed (see above): $(tail -n 1 "$work/guest")"
	cat -- "$work/guest"
}

# End the busy threads however this script ends.
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
	local running
	mapfile -t running < <(jobs -p)
	((${#running[@]} == 0)) || kill "${running[@]}" 2>/dev/null || true
	rm -rf -- "$work"
}

main() {
	if [[ ${1-} == --in-guest ]]; then
		in_guest "${@:2}"
		return
	fi
	parse "$@"
	((EUID == 0)) || die 3 "recording the whole machine requires root; use sudo"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/../.."
	bench_needs collector/fxt-collect/fxt-collect selftests/{pingpongs,measure}
	[[ -e /sys/kernel/btf/vmlinux ]] || die 3 "this kernel has no BTF, so BPF cannot record"
	work=$(mktemp -d)
	trap clean_up EXIT
	measure_all bpf >"$work/runs"
	[[ -z $guest ]] || measure_guest >>"$work/runs"
	measure_busy_all bpf >"$work/runs.busy"
	summarise <"$work/runs" >"$work/table"
	summarise <"$work/runs.busy" | sed 's/pause us/beside/' >"$work/table.busy"
	{
		bench_machine
		echo "buffers of ${buffer:-the default size} per CPU, $ms ms, $repetitions times, medians"
		[[ -z $guest ]] || echo "kmod: in a guest of kernel $kernel"
		bench_columns <"$work/table"
		knees <"$work/table"
		echo
		bench_columns <"$work/table.busy"
	} >"$work/text"
	# One object: the rows of the second table are its "busy".
	bench_json <"$work/table.busy" >"$work/busy.json"
	bench_json machine "$(bench_machine)" buffer "${buffer:-default}" ms "$ms" repetitions "$repetitions" \
		<"$work/table" | sed "s/}\$/,$(sed 's/^{"rows"/"busy"/' "$work/busy.json")/" >"$work/json"
	bench_keep loss "$work" "$json"
}

main "$@"
