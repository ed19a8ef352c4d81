#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures how fast each command of fxt reads a large scheduling archive, compared with cat and wc,
# in random order, several times each; how fast it reads a part of that archive in text formats, and
# that archive compressed; how fast it writes tables; and what compression costs and saves, in the
# collector and with the command zstd. Times are CPU time, user and system, so that other work on
# the machine hardly matters; but compressed archives are read by several CPUs, so there real time
# counts.
#
# In:  size of the archive in MB, repetitions, FXT_TOOL; archives to compress (default: one of
#      ping-pongs and one of hackbench, which are recorded with BPF as root). Or a commit, whose
#      fxt takes turns with this one; then nothing else is measured.
# Out: four tables, kept by results.sh: median throughput in MB/s of input (the archive, or
#      its scheduling as text), ratio to cat for the same number of bytes, largest resident memory;
#      shortest real time and speed relative to the plain archive;
#      rows per second and size; bytes per record and per switch with its wakeup, CPU time per
#      record. With a commit, CPU times and their ratio. JSON in a file if one is given.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"

record_bytes=49		# about; a switch or wakeup with its share of the ledgers

pipe_ms=1000		# duration of the ping-pongs
hackbench_loops=1500	# take about the same time

usage() {
	cat <<'END'
usage: scripts/bench/archive.sh [--json FILE] [--compress ARCHIVE]...
                                [MEGABYTES [REPETITIONS]]
       scripts/bench/archive.sh --against COMMIT [--json FILE] [MEGABYTES [REPETITIONS]]

Makes a scheduling archive of MEGABYTES (default: 500), which each command reads
REPETITIONS times (default: 5) with one thread, writing to /dev/null; some also read it compressed
by fxt-collect's output and by the commands zstd and gzip, with all CPUs. An archive of a tenth of
that size is read as text of ftrace and as JSON, and converted to each kind of tables, in
temporary files. Then compresses each plain ARCHIVE with fxt-collect's output and with the
command zstd (default: a second of ping-pongs on all CPUs and one of hackbench, recorded as
root), and measures the CPU time of all threads. All this is done REPETITIONS times.

With --against, compares this fxt with that of a commit instead, which is built in a temporary
directory: each command reads the archive with both in turn, REPETITIONS times. The ratio is the
median of the ratios of each pair of runs: below 1, this fxt is faster. "-" means that the older
fxt does not have the command.

exit status: 0 done, 1 a command failed, 2 wrong usage, 3 a program is missing.
END
}

names=("cat" "wc -l" "fxt info" "fxt check" "fxt dump --json" "fxt dump"
	"fxt report" "fxt cut" "fxt merge" "fxt convert --to json" "fxt convert --to ftrace"
	"fxt convert --to perfetto" "fxt convert --to fxt" "fxt info (ftrace text)"
	"fxt info (JSON)")

# Sets words to the command of a name, input to its file, and files to how often it is read.
command_of() {
	input=$archive files=1
	case $1 in
	cat | "wc -l") read -ra words <<<"$1" ;;
	"fxt info (ftrace text)") words=("$tool" info) input=$work/text.ftrace ;;
	"fxt info (JSON)") words=("$tool" info) input=$work/text.json ;;
	"fxt merge") words=("$tool" merge -o /dev/null "$archive") files=2 ;;
	*)
		read -ra words <<<"${1#fxt }"
		words=("$tool" "${words[@]}")
		[[ $1 != "fxt c"[ou]* ]] || words+=(-o /dev/null)
		;;
	esac
}

# Prints name, microseconds, largest resident memory in KiB and bytes of the input.
measure() {
	local words input files ns rss
	command_of "$1"
	# When converting to Perfetto, fxt reports what it omits.
	selftests/measure "$work/took" "${words[@]}" "$input" >/dev/null 2>"$work/said" ||
		die 1 "$1 failed: $(<"$work/said")"
	read -r _ ns _ rss <"$work/took"
	printf '%s\t%s\t%s\t%s\n' "$1" $((ns / 1000)) "$rss" $((files * $(stat -c %s "$input")))
}

# Prints medians of the times, and the largest memory; cat first, because ratios are relative to it.
summarise() {
	awk -v list="$(IFS=,; echo "${names[*]}")" "$bench_awk"'
		{ note($1, $2); bytes[$1] = $4; if ($3 > rss[$1]) rss[$1] = $3 }
		END {
			print "command", "cpu_seconds", "mb_per_second", "cat_ratio", "rss_mib"
			print "command", "CPU s", "MB/s", "cat =", "RSS MiB"
			names = split(list, name, ",")
			for (i = 1; i <= names; i++) {
				us = median(name[i])
				if (i == 1) base = us / bytes[name[i]]
				print name[i], sprintf("%.3f", us / 1e6), sprintf("%.0f", bytes[name[i]] / us),
					sprintf("%.2f", us / bytes[name[i]] / base), sprintf("%.1f", rss[name[i]] / 1024)
			}
		}'
}

# --- compressed archives -----------------------------------------------------------

packings=("plain" "fxt-collect -z zstd" "zstd" "fxt-collect -z gzip" "gzip")
readers=("info" "check" "report" "dump --json" "cut")

# Sets input to the archive in that packing.
packed_as() {
	local suffix=${1// /_}
	input=$archive
	[[ $1 == plain ]] || input=$work/packed.$suffix
}

pack_all() {
	local input
	packed_as "fxt-collect -z zstd"
	selftests/compress zstd "$archive" "$input" >/dev/null
	packed_as "fxt-collect -z gzip"
	selftests/compress gzip "$archive" "$input" >/dev/null
	packed_as zstd
	zstd -q -c "$archive" >"$input"
	packed_as gzip
	gzip -c "$archive" >"$input"
}

# Prints command, packing, ns of real time, ns of CPU time and KiB of memory.
measure_packed() {
	local words input ns cpu rss
	packed_as "$2"
	read -ra words <<<"$1"
	[[ $1 != cut ]] || words+=(-o /dev/null)
	selftests/measure "$work/took" "$tool" "${words[@]}" "$input" >/dev/null 2>"$work/said" ||
		die 1 "fxt $1 of the archive as $2 failed: $(<"$work/said")"
	read -r ns cpu _ rss <"$work/took"
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$ns" "$cpu" "$rss"
}

read_packed() {
	local i reader packing
	pack_all
	for ((i = 0; i < repetitions; i++)); do
		for reader in "${readers[@]}"; do
			while IFS= read -r packing; do
				measure_packed "$reader" "$packing"
			done < <(printf '%s\n' "${packings[@]}" | shuf)
		done
	done
	rm -f -- "$work"/packed.*
}

# Other work on the machine only prolongs a run, so the shortest run is nearest to an idle
# machine's.
summarise_packed() {
	awk -v bytes="$bytes" -v list="$(IFS=';'; echo "${packings[*]}")" \
		-v by="$(IFS=';'; echo "${readers[*]}")" "$bench_awk"'
		{
			k = $1 FS $2
			if (!(k in real) || $3 < real[k]) real[k] = $3
			if (!(k in cpu) || $4 < cpu[k]) cpu[k] = $4
			if ($5 > rss[k]) rss[k] = $5
		}
		END {
			print "command", "archive", "seconds", "mb_per_second", "plain_speed", "cpu_seconds", "rss_mib"
			print "fxt", "archive", "s", "MB/s", "plain =", "CPU s", "RSS MiB"
			packings = split(list, packing, ";")
			readers = split(by, reader, ";")
			for (i = 1; i <= readers; i++)
				for (j = 1; j <= packings; j++) {
					k = reader[i] FS packing[j]
					print reader[i], packing[j], sprintf("%.3f", real[k] / 1e9),
						sprintf("%.0f", bytes / real[k] * 1e3),
						sprintf("%.2f", real[reader[i] FS packing[1]] / real[k]),
						sprintf("%.3f", cpu[k] / 1e9), sprintf("%.1f", rss[k] / 1024)
				}
		}'
}

# --- tables ------------------------------------------------------------------------

table_formats=(csv parquet sqlite)

# Prints format, microseconds, bytes written and largest resident memory in KiB.
measure_tables() {
	local ns rss
	rm -rf -- "$work/tables"
	selftests/measure "$work/took" "$tool" convert -q --to "$1" -o "$work/tables" "$archive"
	read -r _ ns _ rss <"$work/took"
	printf '%s\t%s\t%s\t%s\n' "$1" $((ns / 1000)) \
		"$(du -bs "$work/tables" | cut -f 1)" "$rss"
}

# Sets rows to the number of rows in all tables, without headings.
count_rows() {
	"$tool" convert -q --to csv -o "$work/tables" "$archive"
	rows=$(tail -q -n +2 "$work/tables"/*.csv | wc -l)
}

convert_all() {
	local i format
	archive=$work/part.fxt
	count_rows
	for ((i = 0; i < repetitions; i++)); do
		printf '%s\n' "${table_formats[@]}" | shuf
	done | while IFS= read -r format; do measure_tables "$format"; done >"$work/converted"
	rm -rf -- "$work/tables"
}

summarise_tables() {
	awk -v rows="$rows" -v list="$(IFS=,; echo "${table_formats[*]}")" "$bench_awk"'
		{ note($1, $2); bytes[$1] = $3; if ($4 > rss[$1]) rss[$1] = $4 }
		END {
			print "format", "cpu_seconds", "million_rows_per_second", "bytes_per_row", "rss_mib"
			print "fxt convert --to", "CPU s", "M rows/s", "bytes/row", "RSS MiB"
			formats = split(list, format, ",")
			for (i = 1; i <= formats; i++) {
				us = median(format[i])
				print format[i], sprintf("%.3f", us / 1e6), sprintf("%.2f", rows / us),
					sprintf("%.1f", bytes[format[i]] / rows),
					sprintf("%.1f", rss[format[i]] / 1024)
			}
		}'
}

# --- another commit ------------------------------------------------------------------

# Commands that earlier releases have, too, with the same output.
compared=("fxt info" "fxt check" "fxt report" "fxt cut" "fxt merge" "fxt dump" "fxt dump --json"
	"fxt convert --to json" "fxt convert --to ftrace" "fxt convert --to perfetto")

# Sets older to the fxt of the commit, outside of this tree. collector/fxt was once a file.
build_against() {
	local tree=$work/older program=collector/fxt
	git rev-parse -q --verify "$against^{commit}" >/dev/null ||
		die 2 "$against: no such commit; fetch it first"
	mkdir -- "$tree"
	git archive "$against" | tar -x -C "$tree"
	[[ ! -d $tree/$program ]] || program+=/fxt
	make -s -j"$(nproc)" -C "$tree" "$program" >"$work/said" 2>&1 ||
		die 1 "building fxt of $against failed: $(tail -n 5 "$work/said")"
	older=$tree/$program
}

# cpu_ns PROGRAM NAME: prints the CPU time of a command of compared, - if it fails. Status 1 does
# not count as failure: an older check may report violations in newer archives.
cpu_ns() {
	local tool=$1 words input files ns status=0
	command_of "$2"
	selftests/measure "$work/took" "${words[@]}" "$input" >/dev/null 2>"$work/said" || status=$?
	if ((status > 1)); then
		echo -
	else
		read -r _ ns _ <"$work/took"
		echo "$ns"
	fi
}

compare_all() {
	local i name
	for ((i = 0; i < repetitions; i++)); do
		for name in "${compared[@]}"; do
			printf '%s\t%s\t%s\n' "$name" "$(cpu_ns "$older" "$name")" \
				"$(cpu_ns "$tool" "$name")"
		done
	done
}

summarise_against() {
	awk -v list="$(IFS=,; echo "${compared[*]}")" "$bench_awk"'
		$3 == "-" { print $1 " failed" >"/dev/stderr"; failed = 1; exit 1 }
		{ note($1 FS "now", $3) }
		$2 != "-" { note($1 FS "then", $2); note($1, $3 / $2) }
		END {
			if (failed) exit 1
			print "command", "then_seconds", "now_seconds", "ratio"
			print "command", "then, CPU s", "now, CPU s", "now / then"
			names = split(list, name, ",")
			for (i = 1; i <= names; i++) {
				ns = median(name[i] FS "then")
				print name[i], as("%.3f", ns == "-" ? ns : ns / 1e9),
					sprintf("%.3f", median(name[i] FS "now") / 1e9),
					as("%.2f", median(name[i]))
			}
		}'
}

run_against() {
	make_archive
	build_against
	compare_all >"$work/times"
	summarise_against <"$work/times" >"$work/table" || die 1 "see above"
	{
		bench_machine
		echo "archive: $bytes bytes, $repetitions runs of each, by turns;" \
			"then: $(git rev-parse --short "$against")"
		bench_columns <"$work/table"
	} >"$work/text"
	bench_json machine "$(bench_machine)" bytes "$bytes" repetitions "$repetitions" \
		commit "$(git rev-parse "$against")" <"$work/table" >"$work/json"
	bench_keep against "$work" "$json"
}

# --- compression -------------------------------------------------------------------

methods=("fxt-collect -z zstd" "fxt-collect -z gzip" "zstd -1" "zstd -3")

# record NAME COMMAND...: records while COMMAND runs, into an archive of that name.
record() {
	local name=$1
	shift
	collector/fxt-collect/fxt-collect -q -s bpf -b 16M -o "$work/$name.fxt" -- "$@" >/dev/null ||
		die 1 "recording $* by BPF failed (see above); --compress takes existing archives"
	to_compress+=("$work/$name.fxt")
}

record_loads() {
	if ((EUID != 0)) || [[ ! -e /sys/kernel/btf/vmlinux ]]; then
		say "compression is omitted: recording requires root and a kernel with BTF; or use --compress"
		return
	fi
	record pipe selftests/pingpongs ms "$pipe_ms"
	if command -v hackbench >/dev/null; then
		record hackbench hackbench -p -g 4 -l "$hackbench_loops"
	else
		say "hackbench is omitted: not installed; run scripts/deps.sh bench"
	fi
}

# compress ARCHIVE METHOD: prints the archive's name, the method, then bytes before and
# after, ns of CPU, switches, wakeups.
compress() {
	local told before after ns switches wakeups name=${1##*/}
	told=$(selftests/compress "$(collector_method "$2")" "$1") ||
		die 1 "compressing $1 failed: see above"
	read -r before after ns switches wakeups <<<"$told"
	if [[ $2 == "zstd -"* ]]; then
		after=$(selftests/measure "$work/took" zstd -q "${2#zstd }" -c "$1" | wc -c)
		read -r _ ns _ <"$work/took"
	fi
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${name%.fxt}" "$2" "$before" "$after" "$ns" \
		"$switches" "$wakeups"
}

# The argument of selftests/compress, which for the command zstd only counts records.
collector_method() {
	if [[ $1 == *gzip ]]; then
		echo gzip
	else
		echo zstd
	fi
}

compress_all() {
	local i archive method
	((${#to_compress[@]} > 0)) || return 0
	for ((i = 0; i < repetitions; i++)); do
		for archive in "${to_compress[@]}"; do
			while IFS= read -r method; do
				compress "$archive" "$method"
			done < <(printf '%s\n' "${methods[@]}" | shuf)
		done
	done
}

summarise_compression() {
	awk -v list="plain;$(IFS=';'; echo "${methods[*]}")" "$bench_awk"'
		{
			if (!($1 in records)) {
				archive[++archives] = $1
				records[$1] = $6 + $7
				switches[$1] = $6
				note($1 FS "plain", $3)
			}
			note($1 FS $2, $4)
			note($1 FS $2 FS "ns", $5)
		}
		END {
			print "method", "archive", "bytes_per_record", "bytes_per_switch", "ns_per_record", "ratio"
			print "compressed by", "archive", "bytes/record", "bytes/switch", "ns/record", "plain ="
			methods = split(list, method, ";")
			for (j = 1; j <= archives; j++)
				for (i = 1; i <= methods; i++) {
					a = archive[j]; k = a FS method[i]
					ns = median(k FS "ns")
					print (i == 1 ? "nothing" : method[i]), a,
						sprintf("%.2f", median(k) / records[a]),
						sprintf("%.2f", median(k) / switches[a]),
						as("%.1f", ns == "-" ? ns : ns / records[a]),
						sprintf("%.3f", median(k) / median(a FS "plain"))
				}
		}'
}

# --- all ---------------------------------------------------------------------------

parse() {
	json='' against='' to_compress=()
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=${2:?}; shift 2 ;;
		--against) against=${2:?}; shift 2 ;;
		--compress) to_compress+=("$(realpath -- "${2:?}")"); shift 2 ;;
		*) break ;;
		esac
	done
	megabytes=${1:-500} repetitions=${2:-5}
	if (($# > 2)) || ! bench_count "$megabytes" || ! bench_count "$repetitions"; then
		usage >&2
		exit 2
	fi
}

make_archive() {
	archive=$work/sched.fxt
	selftests/generate sched $((megabytes * 1000000 / record_bytes)) 2 marks 1 >"$archive"
	bytes=$(stat -c %s "$archive")
}

# Creates all files to read, and reads each once.
make_inputs() {
	make_archive
	selftests/generate sched $((megabytes * 100000 / record_bytes)) 2 marks 1 >"$work/part.fxt"
	"$tool" convert -q --to ftrace -o "$work/text.ftrace" "$work/part.fxt"
	"$tool" convert -q --to json -o "$work/text.json" "$work/part.fxt"
	cat "$archive" "$work/text.ftrace" "$work/text.json" >/dev/null
}

read_all() {
	local i name
	make_inputs
	for ((i = 0; i < repetitions; i++)); do
		printf '%s\n' "${names[@]}" | shuf
	done | while IFS= read -r name; do measure "$name"; done >"$work/times"
	read_packed >"$work/times.packed"
	rm -- "$archive" "$work/text.ftrace" "$work/text.json"
}

print_text() {
	bench_machine
	echo "archive: $bytes bytes, $repetitions runs each, median of the CPU time"
	bench_columns <"$work/table"
	printf '\nreal time, the shortest of %s runs each, all CPUs; bytes are those of the plain archive\n' \
		"$repetitions"
	bench_columns <"$work/table.packed"
	printf '\ntables: %s rows, %s runs each, median of the CPU time\n' "$rows" "$repetitions"
	bench_columns <"$work/table.tables"
	[[ -s $work/compressed ]] || return 0
	printf '\nsize and CPU time, %s runs each, median\n' "$repetitions"
	bench_columns <"$work/table.compression"
}

# One object with a result for each of the tables.
print_json() {
	printf '{"reading":'
	bench_json machine "$(bench_machine)" bytes "$bytes" repetitions "$repetitions" <"$work/table"
	printf ',"packed":'
	bench_json bytes "$bytes" repetitions "$repetitions" <"$work/table.packed"
	printf ',"tables":'
	bench_json rows "$rows" repetitions "$repetitions" <"$work/table.tables"
	if [[ -s $work/compressed ]]; then
		printf ',"compression":'
		bench_json repetitions "$repetitions" <"$work/table.compression"
	fi
	printf '}\n'
}

main() {
	parse "$@"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/../.."
	tool=${FXT_TOOL:-$PWD/collector/fxt/fxt}
	bench_needs "$tool" selftests/{generate,measure}
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	if [[ -n $against ]]; then
		run_against
		return
	fi
	bench_needs collector/fxt-collect/fxt-collect selftests/{pingpongs,compress}
	command -v zstd >/dev/null || die 3 "the command zstd is missing: apt-get install zstd"
	((${#to_compress[@]} > 0)) || record_loads
	read_all
	convert_all
	compress_all >"$work/compressed"
	summarise <"$work/times" >"$work/table"
	summarise_packed <"$work/times.packed" >"$work/table.packed"
	summarise_tables <"$work/converted" >"$work/table.tables"
	summarise_compression <"$work/compressed" >"$work/table.compression"
	print_text >"$work/text"
	print_json >"$work/json"
	bench_keep archive "$work" "$json"
}

main "$@"
