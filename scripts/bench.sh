#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the benchmarks of bench/ one after the other, then prints the last results of all.
#
# In:  the programs of make selftests; names of benchmarks.
# Out: what bench/NAME.sh and bench/table.sh print and keep.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

# Those that need root come last.
benchmarks=(instructions archive page collector growth host stacks unwind loss)

usage() {
	cat <<END
usage: scripts/bench.sh [--against COMMIT] [NAME...]

Runs the benchmarks NAME, then prints the last results of all. NAME (default: all) is one of
${benchmarks[*]}.
With --against, first compares the times of fxt with those of a commit.
scripts/bench/NAME.sh --help has the options of each.

exit status: 0 done; 2 wrong usage; otherwise that of the benchmark that failed.
END
}

main() {
	local name against=
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--against)
		(($# > 1)) || die 2 "--against needs a commit; see scripts/bench.sh --help"
		against=$2
		shift 2
		;;
	esac
	for name; do
		[[ " ${benchmarks[*]} " == *" $name "* ]] ||
			die 2 "$name: no such benchmark; see scripts/bench.sh --help"
	done
	(($# > 0)) || set -- "${benchmarks[@]}"
	[[ -z $against ]] || "$here/bench/archive.sh" --against "$against"
	for name; do
		"$here/bench/$name.sh"
	done
	"$here/bench/table.sh"
}

main "$@"
