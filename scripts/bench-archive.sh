#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How fast fxt reads: its verbs on one large scheduling archive, side by side
# with cat and wc, in random order, each several times.
#
# In:  size of the archive in MB, repetitions, FXT_TOOL.
# Out: a table (median throughput in MB/s of input, ratio to cat, largest
#      resident memory), and the same as JSON if a file is given.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

record_bytes=49		# of a switch or wakeup, ledgers included, about

usage() {
	cat <<'END'
usage: scripts/bench-archive.sh [--json FILE] [MEGABYTES [REPETITIONS]]

Makes a scheduling archive of that size (500) and lets each command read it that
many times (5). What the commands write goes to /dev/null. One thread each.

exit status: 0 done, 2 wrong usage, 3 something is not there.
END
}

names=("cat" "wc -l" "fxt info" "fxt check" "fxt dump --json" "fxt dump"
	"fxt report" "fxt convert --to json" "fxt convert --to ftrace"
	"fxt convert --to fxt")

# What is run for a name, in words.
command_of() {
	case $1 in
	cat | "wc -l") read -ra words <<<"$1" ;;
	*)
		read -ra words <<<"${1#fxt }"
		words=("$tool" "${words[@]}")
		[[ $1 != "fxt convert"* ]] || words+=(-o /dev/null)
		;;
	esac
}

# Prints name, microseconds and largest resident memory in KiB.
measure() {
	local began ended words
	command_of "$1"
	began=${EPOCHREALTIME/./}
	/usr/bin/time -f %M -o "$work/rss" "${words[@]}" "$archive" >/dev/null
	ended=${EPOCHREALTIME/./}
	printf '%s\t%s\t%s\n' "$1" $((ended - began)) "$(tail -n 1 "$work/rss")"
}

# Median of the times, largest memory; cat first, because the others' ratios
# are to it.
summarise() {
	awk -F '\t' -v bytes="$bytes" -v list="$(IFS=,; echo "${names[*]}")" -v json="$json" '
		{ n[$1]++; t[$1, n[$1]] = $2; if ($3 > rss[$1]) rss[$1] = $3 }
		function median(name,   i, j, x) {
			for (i = 2; i <= n[name]; i++)
				for (j = i; j > 1 && t[name, j] < t[name, j - 1]; j--) {
					x = t[name, j]; t[name, j] = t[name, j - 1]; t[name, j - 1] = x
				}
			return t[name, int((n[name] + 1) / 2)]
		}
		END {
			count = split(list, order, ",")
			printf "%-26s %10s %10s %10s\n", "command", "MB/s", "cat =", "RSS MiB"
			out = sprintf("{\"bytes\":%d,\"commands\":[", bytes)
			for (i = 1; i <= count; i++) {
				m = median(order[i])
				if (i == 1) base = m
				printf "%-26s %10.0f %10.2f %10.1f\n", order[i], bytes / m, m / base, rss[order[i]] / 1024
				out = out sprintf("%s{\"command\":\"%s\",\"seconds\":%.6f,\"rss_kib\":%d}", i > 1 ? "," : "", order[i], m / 1e6, rss[order[i]])
			}
			if (json != "") print out "]}" > json
		}'
}

main() {
	local megabytes repetitions i
	json=
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--json)
		json=${2:?}
		shift 2
		;;
	esac
	megabytes=${1:-500} repetitions=${2:-5}
	[[ $megabytes =~ ^[0-9]+$ && $repetitions =~ ^[1-9][0-9]*$ ]] || { usage >&2; exit 2; }
	cd "$here/.."
	tool=${FXT_TOOL:-$PWD/collector/fxt}
	[[ -x $tool ]] || die 3 "$tool is not built: make collector"
	[[ -x selftests/generate ]] || die 3 "selftests/generate is not built: make selftests"
	command -v /usr/bin/time >/dev/null || die 3 "/usr/bin/time is missing: apt-get install time"
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	archive=$work/sched.fxt
	selftests/generate sched $((megabytes * 1000000 / record_bytes)) 2 >"$archive"
	bytes=$(stat -c %s "$archive")
	cat "$archive" >/dev/null
	echo "archive: $bytes bytes, $repetitions runs each, median"
	for ((i = 0; i < repetitions; i++)); do
		printf '%s\n' "${names[@]}" | shuf
	done | while IFS= read -r name; do measure "$name"; done >"$work/times"
	summarise <"$work/times"
}

main "$@"
