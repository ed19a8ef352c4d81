#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that the sources can be read from the bottom up: no circle, no long file; and that
# messages are printed in one place.
#
# In:  the source tree; the object files of the collector (make collector).
# Out: TAP, one line a check, after its circles or long files.
#
# A unit is NAME.c and NAME.h. A unit uses another if it includes its header, or if its
# object needs a symbol that the other one's object defines. Units that form a circle can
# only be read all at once. The same holds for folders.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

longest=600	# lines
work=

usage() {
	cat <<'END'
usage: scripts/check-structure.sh

Prints each circle of includes or of symbols between source files and between folders,
each source file that is longer than 600 lines, and each message that is not escaped.

exit status: 0 none found; 1 one found; 2 wrong usage.
END
}

sources() {
	git ls-files -- '*.c' '*.h' '*.sh' '*.js' '*.awk' Makefile 2>/dev/null
}

long_files() {
	local file lines found=
	while read -r file; do
		lines=$(wc -l <"$file")
		((lines <= longest)) || { echo "$file: $lines lines, more than $longest"; found=yes; }
	done < <(sources)
	[[ -z $found ]]
}

# unit_of: the units of the paths on standard input, one a line.
unit_of() {
	sed -E 's/\.(bpf\.)?[cho]$//'
}

# The include paths of the Makefiles.
roots_of() {
	case $1 in
	collector/fxt/*) echo . include include/uapi collector collector/fxt ;;
	collector/fxt-collect/*) echo . include include/uapi collector collector/fxt-collect bpf ;;
	selftests/*) echo selftests/lib . include include/uapi collector collector/fxt \
		collector/fxt-collect ;;
	*) echo . include include/uapi collector ;;
	esac
}

# include_arrows: "FILE HEADER" for each include of a file of this tree.
include_arrows() {
	local file header root
	git grep -h --full-name -o -H -E '^#include [<"][^>"]+' -- '*.c' '*.h' |
		sed -E 's/:#include [<"]/ /' |
		while read -r file header; do
			for root in "${file%/*}" $(roots_of "$file"); do
				if [[ -e $root/$header ]]; then
					echo "$file $root/$header"
					break
				fi
			done
		done >"$work/includes"
	cut -d ' ' -f 2 "$work/includes" | xargs realpath --relative-to=. -- |
		paste -d ' ' <(cut -d ' ' -f 1 "$work/includes") -
}

# symbol_arrows: "OBJECT OBJECT" if the first needs a symbol that the second defines.
# main() and the archives of the tests do not count.
symbol_arrows() {
	local program
	for program in collector/libfxt "collector/libfxt collector/libsym collector/liboutput collector/libtls collector/libperfetto collector/fxt" \
		"collector/libfxt collector/libsym collector/liboutput collector/libtls collector/libperfetto collector/fxt-collect"; do
		# shellcheck disable=SC2086 # a list
		find $program -name '*.c' | sed 's/c$/o/' | xargs nm -A -g 2>/dev/null |
			awk '{ sub(/:.*/, "", $1) }
				$2 == "U" { needs[$1 " " $3] = 1; next }
				{ home[$3] = $1 }
				END {
					for (need in needs) {
						split(need, a, " ")
						if (a[2] in home && home[a[2]] != a[1])
							print a[1], home[a[2]]
					}
				}'
	done
}

# circles: of "A B" pairs on standard input, one line for each circle.
circles() {
	awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null | awk '
		{ sub(/^tsort: /, "") }
		/input contains a loop:$/ { if (line != "") print line; line = "circle:"; next }
		{ line = line " " $0 }
		END { if (line != "") print line }'
}

unit_arrows() {
	{ include_arrows; symbol_arrows; } | awk '{ print $1; print $2 }' | unit_of | paste -d ' ' - -
}

units_without_circle() {
	circles <"$work/units" | tee "$work/circles"
	[[ ! -s $work/circles ]]
}

# A folder stands for its own files. A program's main() and its list of commands, which
# use their subfolders, are not a circle.
folders_without_circle() {
	awk '{ for (i = 1; i <= 2; i++) sub(/\/[^\/]*$/, "", $i); print $1, $2 }' "$work/units" |
		circles | tee "$work/circles"
	[[ ! -s $work/circles ]]
}

# Names and paths in a message may be anyone's choice. Nothing prints one but the functions that
# escape it; fxt-collect's own report of an output that failed has no such text.
messages_are_escaped() {
	local places='fxt/terminal/(message|progress)|fxt-collect/(session/status|source/bpf/bpf|main)'

	! git grep -nE 'printf\(stderr|puts\(.*stderr|perror\(' -- 'collector/*.c' |
		grep -vE "^collector/($places)\.c:"
}

main() {
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/check-structure.sh --help" ;;
	esac
	cd "$here/.."
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	unit_arrows >"$work/units"
	echo "TAP version 13"
	echo "1..4"
	ok "no file is longer than $longest lines" long_files
	ok "no circle of source files" units_without_circle
	ok "no circle of folders" folders_without_circle
	ok "no message that is not escaped" messages_are_escaped
	((failed == 0))
}

main "$@"
