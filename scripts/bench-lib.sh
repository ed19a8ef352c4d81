# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the benchmarks share: medians, tables, JSON, and where results are kept.
# Sourced by bench-*.sh after lib.sh.
#
# A result is a table of fields between tabs: a line of names, as JSON has them, a line
# of titles, as people read them, then the rows, the first field of each being a text
# and the others numbers, or "-" where there is none.
#
# In:  such tables.
# Out: functions; <cache>/results/bench-NAME.txt and bench-NAME.json, which
#      bench-table.sh puts into the README files.

# For awk, before a program of its own: what was measured under a key, and the median
# of it: the middle one, the lower of two.
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
# As printf has it, but for what is not a number.
function as(format, value) { return value == "-" ? "-" : sprintf(format, value) }
BEGIN { FS = OFS = "\t" }
'

# bench_columns: such a table, as people read it.
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

# bench_json KEY VALUE...: such a table, for programs, and above it what was measured
# where and how. Values that are numbers stay numbers.
bench_json() {
	awk -F '\t' -v about="$(printf '%s\t' "$@")" '
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

# bench_machine: what was measured on.
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

# bench_needs PROGRAM...: of those that make builds.
bench_needs() {
	local program
	for program; do
		[[ -x $program ]] || die 3 "$program is not built: make selftests"
	done
}

# Those that a benchmark leaves on a file or a number that has to be one.
bench_count() {
	[[ $1 =~ ^[1-9][0-9]{0,8}$ ]]
}
