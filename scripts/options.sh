#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes the synopsis and the heads of options in the manuals, from the programs' tables of options.
#
# In:  the programs (make collector); collector/man/*.1.
# Out: the manuals; options that a manual does not explain, on standard error.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

usage() {
	cat <<'END'
usage: scripts/options.sh [--check]

Writes the synopsis and the head of each option in collector/man/*.1, as the tables of options
of fxt and fxt-collect have them, and reports options that a manual does not explain.

  --check    only report what would change

exit status: 0 done; 1 a manual lacks an option, has another one, or would change; 2 wrong
usage; 3 a program is missing.
END
}

# rewrite PROGRAM: its manual as it should be, in $work.
rewrite() {
	local program=collector/$1/$1
	[[ -x $program ]] || die 3 "$program is not built; run make collector"
	"$program" --print-options >"$work/rows"
	awk -f scripts/options.awk "$work/rows" "collector/man/$1.1" >"$work/$1.1" ||
		die 1 "collector/man/$1.1 does not fit the options of $1 (see above)"
}

main() {
	local check='' program
	case ${1-} in
	'') ;;
	--check) check=yes ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/options.sh --help" ;;
	esac
	cd "$here/.."
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	for program in fxt fxt-collect; do
		rewrite "$program"
		if [[ -z $check ]]; then
			cat "$work/$program.1" >"collector/man/$program.1"
		elif ! diff -u "collector/man/$program.1" "$work/$program.1"; then
			die 1 "collector/man/$program.1 differs from the options of $program; run scripts/options.sh"
		fi
	done
}

main "$@"
