#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the last results of the benchmarks, or updates the README files with them.
#
# In:  <cache>/results/bench-NAME.txt, which scripts/bench-NAME.sh writes.
# Out: standard output; with --readme README.md and scripts/README.md instead: the text
#      between the two comments that name this script and NAME. Benchmarks without
#      results are left unchanged.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

benchmarks=(instructions host collector loss archive)

usage() {
	cat <<'END'
usage: scripts/bench-table.sh [--readme] [NAME...]

Prints the last results of the benchmarks NAME (instructions, host, collector, loss,
archive; default: all that have results). With --readme they replace the tables in
README.md and scripts/README.md.

exit status: 0 done; 1 neither file has a place for a table; 2 wrong usage; 3 there are
no results of a NAME, or none at all.
END
}

results_of() {
	printf '%s/results/bench-%s.txt\n' "$(cache_dir)" "$1"
}

print_results() {
	local name
	for name; do
		printf '%s:\n' "$name"
		sed 's/^./    &/' "$(results_of "$name")"
		echo
	done
}

# readme_of NAME: the file that has the two comments.
readme_of() {
	local readme
	for readme in "$here/../README.md" "$here/README.md"; do
		[[ $(grep -c -E "^<!-- (end of )?scripts/bench-table.sh $1 -->$" "$readme") != 2 ]] ||
			{ printf '%s\n' "$readme"; return; }
	done
	die 1 "neither README.md nor scripts/README.md has the lines" \
		"'<!-- scripts/bench-table.sh $1 -->' and '<!-- end of scripts/bench-table.sh $1 -->'"
}

# into_readme NAME: as a block of code.
into_readme() {
	local readme mark="scripts\\/bench-table.sh $1" table
	readme=$(readme_of "$1") || exit 1
	table=$(mktemp)
	{
		echo
		sed 's/^./    &/' "$(results_of "$1")"
		echo
	} >"$table"
	sed -i -e "/^<!-- $mark -->$/r $table" \
		-e "/^<!-- $mark -->$/,/^<!-- end of $mark -->$/{/^<!--/!d}" "$readme"
	rm -f -- "$table"
}

main() {
	local readme='' name names=()
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--readme) readme=yes; shift ;;
	esac
	for name; do
		[[ " ${benchmarks[*]} " == *" $name "* ]] ||
			die 2 "$name: no such benchmark; see scripts/bench-table.sh --help"
		[[ -s $(results_of "$name") ]] ||
			die 3 "no results in $(results_of "$name"): run scripts/bench-$name.sh first"
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
