#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints a table of the tests that scripts/check.sh ran on each kernel.
#
# In:  <cache>/results/PLACE.tsv: a line "# RELEASE<tab>COMMIT", then one line per
#      test: program, number, result.
# Out: a table in Markdown on standard output; with --readme in scripts/README.md
#      instead, between the two comments that name this script.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"

usage() {
	cat <<'END'
usage: scripts/check/matrix.sh [--readme]

Prints the number of tests of each program that passed in each place at the last run of
scripts/check.sh there (scripts/check.sh --all runs them in all places). With --readme,
this table replaces the one in scripts/README.md.

exit status: 0 done; 1 scripts/README.md has no place for the table; 2 wrong usage;
3 there are no results.
END
}

# In the order of the columns; places without results are omitted. The results of
# "files" count as the host's.
places=(host files 5.10 6.1 6.12 7.2 rt smp16 debug stress_sessions stress_system kcsan arm64
	intree packages fleet structure fuzz)

# The results in files, as Markdown.
table_program='
	FNR == 1 {
		place = FILENAME; sub(/.*\//, "", place); sub(/\.tsv$/, "", place)
		release = $1; sub(/^# /, "", release)
		is_files = place == "files"
		if (is_files)
			place = "host"
		if (place ~ /^stress_/)
			place = "debug"
		if (place in kernel)
			next
		if (place == "intree" || place == "packages" || place == "fleet" || place == "structure" ||
		    place == "fuzz")
			other[++others] = place
		else {
			column[++columns] = place
			kernel[place] = release
		}
		next
	}
	{
		if (!($1 in known)) { known[$1] = 1; program[++programs] = $1 }
		run[$1, place]++
		if (is_files)
			of_files[$1] = 1
		result[$1, place, $3]++
		total[place, $3]++
	}
	function cell(p, c,	text) {
		if (!((p, c) in run))
			return ""
		text = result[p, c, "passed"] + 0
		if (result[p, c, "failed"])
			text = text ", **" result[p, c, "failed"] " failed**"
		if (result[p, c, "skipped"])
			text = text ", " result[p, c, "skipped"] " skipped"
		return text
	}
	function line(first, kind,	i, text) {
		text = "| " first " |"
		for (i = 1; i <= columns; i++)
			text = text " " (kind == "head" ? column[i] : kind == "rule" ? "---:" : \
				kind == "kernel" ? kernel[column[i]] : \
				kind == "total" ? total[column[i], "passed"] + 0 : \
				cell(first, column[i])) " |"
		print text
	}
	function is_other(p,	i) {
		for (i = 1; i <= others; i++)
			if ((p, other[i]) in run)
				return 1
		return 0
	}
	function fold(p,	i, kind) {
		for (kind in kinds)
			for (i = 1; i <= columns; i++)
				result[archives, column[i], kind] += \
					result[p, column[i], kind]
		for (i = 1; i <= columns; i++)
			if ((p, column[i]) in run)
				run[archives, column[i]] = 1
		folded++
	}
	END {
		archives = "archives and tools"
		kinds["passed"]; kinds["failed"]; kinds["skipped"]
		line("passed on", "head")
		line("---", "rule")
		line("kernel", "kernel")
		for (j = 1; j <= programs; j++)
			# Reading and writing archives does not depend on the kernel.
			if (program[j] in of_files)
				fold(program[j])
			else if (!is_other(program[j]))
				line(program[j], "cell")
		if (folded)
			line(archives, "cell")
		line("all", "total")
		for (i = 1; i <= others; i++)
			printf "%s%s: %d passed, %d failed, %d skipped", (i > 1 ? "; " : "\nBesides, on the host: "),
				other[i], total[other[i], "passed"], total[other[i], "failed"],
				total[other[i], "skipped"]
		if (others)
			print "."
	}'

# table FILE...: the results in these files, as Markdown.
table() {
	awk -F '\t' "$table_program" "$@"
}

print_table() {
	local place files=()
	for place in "${places[@]}"; do
		[[ ! -s $(cache_dir)/results/$place.tsv ]] || files+=("$(cache_dir)/results/$place.tsv")
	done
	((${#files[@]} > 0)) || die 3 "no results in $(cache_dir)/results: run scripts/check.sh first"
	table "${files[@]}"
}

into_readme() {
	local readme=$here/../README.md table
	[[ $(grep -c -E "^<!-- (end of )?scripts/check/matrix.sh -->$" "$readme") == 2 ]] ||
		die 1 "scripts/README.md has no lines '<!-- scripts/check/matrix.sh -->' and '<!-- end of scripts/check/matrix.sh -->'"
	table=$(mktemp)
	print_table >"$table"
	sed -i -e "/^<!-- scripts\/check\/matrix.sh -->$/r $table" \
		-e '/^<!-- scripts\/check\/matrix.sh -->$/,/^<!-- end of scripts\/check\/matrix.sh -->$/{/^<!--/!d}' "$readme"
	rm -f -- "$table"
}

case ${1-} in
'') print_table ;;
--readme) into_readme ;;
-h | --help) usage ;;
*) die 2 "$1: unknown argument; see scripts/check/matrix.sh --help" ;;
esac
