#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the last results of the benchmarks, or updates the documentation with them.
#
# In:  <cache>/results/bench-NAME.txt, which scripts/bench/NAME.sh writes.
# Out: standard output; with --readme instead README.md and scripts/bench/README.md: the text
#      between the two comments that name this script and NAME. Benchmarks without results are
#      left unchanged.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"

benchmarks=(instructions host stacks unwind collector loss archive against page growth lengths)

usage() {
	cat <<'END'
usage: scripts/bench/table.sh [--readme] [NAME...]

Prints the last results of the benchmarks NAME (instructions, host, stacks, unwind,
collector, loss, archive, against: archive.sh --against, page, growth, lengths:
growth.sh --lengths; default: all that have results). With --readme they replace the
tables in README.md and scripts/bench/README.md.

exit status: 0 done; 1 no file has a place for a table; 2 wrong usage; 3 there are
no results of a NAME, or none at all.
END
}

results_of() {
	printf '%s/results/bench-%s.txt\n' "$(cache_dir)" "$1"
}

script_of() {
	case $1 in
	against) echo "archive.sh --against COMMIT" ;;
	lengths) echo "growth.sh --lengths" ;;
	*) echo "$1.sh" ;;
	esac
}

print_results() {
	local name
	for name; do
		printf '%s:\n' "$name"
		sed 's/^./    &/' "$(results_of "$name")"
		echo
	done
}

# The comments around a table.
begin_of() {
	echo "<!-- scripts/bench/table.sh $1 -->"
}

end_of() {
	echo "<!-- end of scripts/bench/table.sh $1 -->"
}

# into_file FILE NAME: inserts the table as a block of code. Fails if FILE has no place for it.
into_file() {
	local begin end table
	begin=$(begin_of "$2")
	end=$(end_of "$2")
	grep -q -x -F -e "$begin" "$1" && grep -q -x -F -e "$end" "$1" || return
	table=$(mktemp)
	{
		echo
		sed 's/^./    &/' "$(results_of "$2")"
		echo
	} >"$table"
	awk -v begin="$begin" -v end="$end" -v table="$table" '
		$0 == end { inside = 0 }
		!inside
		$0 == begin { inside = 1; while ((getline line < table) > 0) print line }
	' "$1" >"$table.new"
	cat -- "$table.new" >"$1"
	rm -f -- "$table" "$table.new"
}

into_readme() {
	local file found=
	for file in "$here"/../../README.md "$here/README.md"; do
		! into_file "$file" "$1" || found=yes
	done
	[[ -n $found ]] || die 1 "no file has the lines '$(begin_of "$1")' and '$(end_of "$1")'"
}

main() {
	local readme='' name names=()
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--readme) readme=yes; shift ;;
	esac
	for name; do
		[[ " ${benchmarks[*]} " == *" $name "* ]] ||
			die 2 "$name: no such benchmark; see scripts/bench/table.sh --help"
		[[ -s $(results_of "$name") ]] ||
			die 3 "no results in $(results_of "$name"): run scripts/bench/$(script_of "$name") first"
		names+=("$name")
	done
	for name in "${benchmarks[@]}"; do
		if (($# == 0)) && [[ -s $(results_of "$name") ]]; then
			names+=("$name")
		fi
	done
	((${#names[@]} > 0)) || die 3 "no results in $(cache_dir)/results: run make bench first"
	if [[ -n $readme ]]; then
		for name in "${names[@]}"; do into_readme "$name"; done
	else
		print_results "${names[@]}"
	fi
}

main "$@"
