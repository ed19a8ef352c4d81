# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Shared by the benchmarks: medians, tables, JSON, and the storage of results. Sourced by
# the others of this folder after ../lib.sh.
#
# A result is a table of fields separated by tabs: a line of names for JSON, a line of
# titles for people, then the rows. The first field of a row is a text, the others are
# numbers, or "-" for a missing one.
#
# In:  such tables.
# Out: functions; <cache>/results/bench-NAME.txt and bench-NAME.json, which
#      table.sh puts into the README files.

# fxt-collect writes as the user of sudo, but the working folders of benchmarks are root's.
unset SUDO_UID SUDO_GID

# For awk, before the program of a script: collects measurements under a key; the median is
# the middle one, the lower of two.
# shellcheck disable=SC2016,SC2034 # awk's own variables; for those who source this
bench_awk='
function note(key, value) { seen[key, ++count[key]] = value }
function median(key,	i, j, x) {
	for (i = 2; i <= count[key]; i++)
		for (j = i; j > 1 && seen[key, j] + 0 < seen[key, j - 1] + 0; j--) {
			x = seen[key, j]; seen[key, j] = seen[key, j - 1]; seen[key, j - 1] = x
		}
	return count[key] ? seen[key, int((count[key] + 1) / 2)] : "-"
}
function total(key,	i, sum) {
	for (i = 1; i <= count[key]; i++)
		sum += seen[key, i]
	return count[key] ? sum + 0 : "-"
}
# As printf, except for "-".
function as(format, value) { return value == "-" ? "-" : sprintf(format, value) }
BEGIN { FS = OFS = "\t" }
'

# bench_columns: prints such a table in columns.
bench_columns() {
	awk -F '\t' '
		NR > 1 {
			row[++rows] = $0
			for (i = 1; i <= NF; i++)
				if (length($i) > width[i]) width[i] = length($i)
		}
		END {
			for (j = 1; j <= rows; j++) {
				fields = split(row[j], field, "\t")
				line = sprintf("%-*s", width[1], field[1])
				for (i = 2; i <= fields; i++)
					line = line sprintf("  %*s", width[i], field[i])
				sub(/ +$/, "", line)
				print line
			}
		}'
}

# bench_json KEY VALUE...: prints such a table as JSON, after these keys, which describe
# the measurement. Values that are numbers stay numbers.
bench_json() {
	awk -F '\t' -v about="${1+$(printf '%s\t' "$@")}" '
		function quoted(text) {
			gsub(/["\\]/, "\\\\&", text)
			return "\"" text "\""
		}
		function value(text) {
			if (text == "-")
				return "null"
			return text ~ /^-?[0-9]+(\.[0-9]+)?$/ ? text : quoted(text)
		}
		NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
		NR > 2 {
			line = ""
			for (i = 1; i <= NF; i++)
				line = line (i > 1 ? "," : "") quoted(name[i]) ":" value($i)
			rows = rows (rows == "" ? "" : ",") "{" line "}"
		}
		END {
			fields = split(about, field, "\t")
			printf "{"
			for (i = 1; i < fields; i += 2)
				printf "%s:%s,", quoted(field[i]), value(field[i + 1])
			printf "\"rows\":[%s]}\n", rows
		}'
}

bench_machine() {
	printf '%s, %s CPUs, Linux %s\n' \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
		"$(nproc)" "$(uname -r)"
}

# bench_keep NAME WORK FILE: prints WORK/text and keeps it, and WORK/json, as the
# results of that benchmark; the latter in FILE, too, if that is not empty.
bench_keep() {
	local results kind
	results=$(cache_dir)/results
	mkdir -p -- "$results"
	for kind in text json; do
		cp -- "$2/$kind" "$results/.bench-$1.$$"
		mv -- "$results/.bench-$1.$$" "$results/bench-$1.${kind/text/txt}"
	done
	[[ -z $3 ]] || cp -- "$2/json" "$3"
	cat -- "$2/text"
}

# bench_needs PROGRAM...: fails if make has not built one of these.
bench_needs() {
	local program
	for program; do
		[[ -x $program ]] || die 3 "$program is not built; run make selftests"
	done
}

# bench_count TEXT: is it a valid count?
bench_count() {
	[[ $1 =~ ^[1-9][0-9]{0,8}$ ]]
}
