#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Updates the synopses, the list of commands and the heads of options in the manuals from the
# programs' tables of options, and checks the values that the manuals list, and the README's table
# of groups.
#
# In:  the programs (make collector); collector/man/*.1; README.md.
# Out: the manuals; on standard error, options and values that a manual or the README lacks.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

usage() {
	cat <<'END'
usage: scripts/options.sh [--check]

Updates the synopses, the list of commands and the head of each option in collector/man/*.1 from
the tables of options of fxt and fxt-collect. Reports commands without a page, options and values
that no page names, and groups of events that the README lacks or describes differently.

  --check    only report what would change

exit status: 0 done; 1 a manual or the README lacks something, has something else, or would change;
2 wrong usage; 3 a program is missing.
END
}

# rewrite PROGRAM PAGE...: writes the updated pages to $work.
rewrite() {
	local program=collector/$1/$1
	[[ -x $program ]] || die 3 "$program is not built; run make collector"
	"$program" --print-options >"$work/rows"
	awk -v out="$work" -f scripts/options.awk "$work/rows" "${@:2}" ||
		die 1 "the manual does not fit the options of $1 (see above)"
}

# Checks that the README's table of groups has each group once, and says which ones need BPF or a
# later kernel; and that fxt-collect(1) describes each group.
check_groups() {
	local name names

	collector/fxt-collect/fxt-collect -e help >"$work/groups"
	awk '
		FNR == NR {
			if ($2 != "" && $0 ~ /^[a-z]+ .*\(.*\)$/ && $1 != "sched") {
				needs[$1] = /; BPF only/ ? "BPF only" : ""
				if (match($0, /Linux [0-9.]+ or later/))
					since[$1] = substr($0, RSTART, RLENGTH)
			}
			next
		}
		/^\| group \| records/ { here = 1; next }
		!/^\|/ { here = 0 }
		here && /^\| `[a-z]+` / {
			name = $2
			gsub(/`/, "", name)
			seen[name]++
			if (!(name in needs) || index($0, needs[name]) == 0 || index($0, since[name]) == 0 ||
			    seen[name] > 1) {
				print "README.md: " name ": no such group, twice, or without \"" needs[name] \
					"\", \"" since[name] "\""
				failed = 1
			}
		}
		END {
			for (name in needs)
				if (!seen[name]) {
					print "README.md: the group " name " is missing"
					failed = 1
				}
			exit failed
		}' "$work/groups" README.md >&2 || die 1 "README.md does not fit fxt-collect -e help (see above)"
	names=$(sed -n 's/^\([a-z]*\) .*(.*)$/\1/p' "$work/groups")
	[[ -n $names ]] || die 1 "fxt-collect -e help: no group is read from it"
	for name in $names; do
		[[ $name == sched ]] || grep -q "^\.It $name\b" collector/man/fxt-collect.1 ||
			die 1 "collector/man/fxt-collect.1: the group $name is missing"
	done
}

main() {
	local check='' page pages=()
	case ${1-} in
	'') ;;
	--check) check=yes ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/options.sh --help" ;;
	esac
	cd "$here/.."
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	for page in collector/man/fxt-*.1; do
		[[ $page == */fxt-collect.1 ]] || pages+=("$page")
	done
	rewrite fxt "${pages[@]}" collector/man/fxt.1
	rewrite fxt-collect collector/man/fxt-collect.1
	for page in collector/man/*.1; do
		if [[ -z $check ]]; then
			cat "$work/${page##*/}" >"$page"
		elif ! diff -u "$page" "$work/${page##*/}"; then
			die 1 "$page differs from the options of the programs; run scripts/options.sh"
		fi
	done
	check_groups
}

main "$@"
