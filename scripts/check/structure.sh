#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that the sources can be read from the bottom up: no circles, no long functions, no
# headers with a single user; that messages are only printed in one place, and names only through
# functions that escape them; that no two scripts of the page define the same name; that each
# source states its licence, by a name of the REUSE specification; and that the patches for other
# projects are complete.
#
# In:  the source tree; the object files of the collector (make collector).
# Out: TAP, one line a check, each after its findings.
#
# A unit is NAME.c and NAME.h. A unit uses another one if it includes the header of that, or if its
# object needs a symbol that the object of that defines. Units that form a circle can only be
# read all at once. The same holds for folders.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

longest=60	# lines of a function, between its braces
# The number of longer functions, and of headers of the collector with a single user, must not rise:
# new functions are short, and new headers have two users. Who fixes one lowers the number.
long_most=0
lonely_most=8
work=

usage() {
	cat <<'END'
usage: scripts/check/structure.sh

Prints each circle of includes or of symbols between source files and between folders;
functions longer than 60 lines, and headers that only one file includes, if their number has
risen; each message and each name that is not escaped; each name that two scripts of the page
define; each source without a licence; an incomplete patch for another project.

exit status: 0 none found; 1 one found; 2 wrong usage.
END
}

sources() {
	git ls-files -- '*.c' '*.h' '*.sh' '*.js' '*.awk' Makefile 2>/dev/null
}

# at_most: checks that a file has no more lines than the number of that name; else prints them.
at_most() {
	local most=$1 file=$2 name=$3 count
	count=$(wc -l <"$file")
	if ((count > most)); then
		cat "$file"
		echo "$count, more than $name=$most"
		return 1
	fi
	((count == most)) || echo "# lower $name to $count in scripts/check/structure.sh"
}

# In C, only the braces of functions are alone at the beginning of their lines. In scripts, the
# first line of a function ends with the opening brace, and the closing brace has the same
# indentation. Empty lines, tables of data and here documents do not count.
long_functions() {
	# shellcheck disable=SC2016 # of awk
	sources | xargs awk -v longest="$longest" '
		FNR == 1 { start = 0; data = 0; of_c = FILENAME ~ /\.[ch]$/ }
		!start && of_c && /^\{/ { start = FNR; lines = 0; end = "}"; name = before; next }
		!start && !of_c && /^\t*((async )?function .*|[A-Za-z_0-9]+\(\)) \{$/ {
			start = FNR
			lines = 0
			match($0, /^\t*/)
			end = substr($0, 1, RLENGTH) "}"
			name = substr($0, RLENGTH + 1)
			next
		}
		start && index($0, end) == 1 {
			if (lines > longest)
				print FILENAME ":" start ": " lines " lines, more than " longest ": " name
			start = 0
		}
		data && ($0 ~ /^\t+\}.*;$/ || $0 ~ /^END$/) { data = 0; next }
		start && !data && NF { lines++ }
		start && (/ = \{$/ || /<<.?END.?$/) { data = 1 }
		/^[A-Za-z_]/ { before = $0 }' >"$work/long"
	at_most "$long_most" "$work/long" long_most
}

# The users of a header are the files that include it, except the source file of the same name.
# Tests count. The library's headers have other users elsewhere.
lonely_headers() {
	awk '
		{ unit = $2; sub(/\.h$/, ".c", unit) }
		$2 ~ /^collector\/.*\.h$/ && $2 !~ /\/libfxt\/fxt_[a-z]*\.h$/ {
			seen[$2] = 1
			if ($1 != unit)
				users[$2]++
		}
		END { for (header in seen) if (users[header] < 2) print header }' "$work/arrows" |
		sort >"$work/lonely"
	at_most "$lonely_most" "$work/lonely" lonely_most
}

# unit_of: prints the units of the paths on standard input, one a line.
unit_of() {
	sed -E 's/\.(bpf\.)?[cho]$//'
}

# include_arrows: "FILE HEADER" for each include of a file of this tree, by the include paths of
# the Makefiles.
include_arrows() {
	git ls-files -- '*.h' >"$work/headers"
	git grep -o -E '^#include [<"][^>"]+' -- '*.c' '*.h' | sed -E 's/:#include [<"]/ /' |
		awk '
			FNR == NR { is_here[$0] = 1; next }
			function plain(path) {
				sub(/^\.\//, "", path)
				while (sub(/(^|\/)[^\/.]+\/\.\.\//, "/", path))
					;
				return path
			}
			{
				folder = $1
				sub(/\/[^\/]*$/, "", folder)
				roots = folder " . include include/uapi collector"
				if ($1 ~ /^(collector\/fxt|selftests)\//)
					roots = roots " collector/fxt"
				if ($1 ~ /^(collector\/fxt-collect|selftests)\//)
					roots = roots " collector/fxt-collect bpf"
				if ($1 ~ /^selftests\//)
					roots = roots " selftests/lib"
				count = split(roots, root)
				for (i = 1; i <= count; i++) {
					header = plain(root[i] "/" $2)
					if (header in is_here) { print $1, header; break }
				}
			}' "$work/headers" -
}

# symbol_arrows: "OBJECT OBJECT" if the first needs a symbol that the second defines.
# main() and the archives of the tests do not count.
symbol_arrows() {
	local program
	for program in '' collector/fxt-collect collector/fxt 'collector/fxt-receive collector/fxt/terminal' \
		'collector/fxt-open collector/fxt/terminal'; do
		# shellcheck disable=SC2086 # a list
		find collector/lib* $program -name '*.c' | sed 's/c$/o/' | xargs nm -A -g 2>/dev/null |
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
	{ cat "$work/arrows"; symbol_arrows; } | awk '{ print $1; print $2 }' | unit_of | paste -d ' ' - -
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

# Messages may contain names and paths that anyone can choose. So only functions that escape them
# may print messages; fxt-collect's own report of a failed output has no such text. The examples,
# which have to be short, only print what the library has escaped.
messages_are_escaped() {
	local places='fxt/terminal/(message|progress)|fxt-collect/(session/status|source/bpf/bpf|main)'

	! git grep -nE 'printf\(stderr|puts\(.*stderr|perror\(' -- 'collector/*.c' ':!collector/examples' |
		grep -vE "^collector/($places)\.c:"
}

# Names in the output of fxt, too: out_safe(), out_quoted(), out_json() and out_csv() escape them,
# and only names from fxt itself are written without these.
names_are_escaped() {
	local raw='\b(out_str|out_bytes|out_printf|printf|puts|fputs)\('
	local names='\b(history_name|report_name|why_by_name|[a-z_]*(party|culprit)_name|text_of)\('
	names+='|(->|\.)(name|path|comm|cgroup|command_name)\b'
	local own='\b(verbs\[i\]|v|kind|column\[i\])(->|\.)name\b'

	! git grep -nE "$raw" -- 'collector/fxt/*.c' 'collector/fxt-receive/*.c' \
		'collector/fxt-open/*.c' |
		sed -E "s/(out_safe|out_json|out_csv|json_text)\(.*//; s/$own//g" | grep -E "$names" |
		grep -vE '^collector/(fxt-receive/connection|fxt-open/main)\.c:'
}

# The scripts of the page share one scope: a second "const" with the same name stops the page, and
# a second function with the same name replaces the first one. Finds the names in declarations that
# are not indented, including those that continue on the next line after a comma.
page_names_are_unique() {
	git ls-files -- 'collector/fxt/report/html/page/*.js' | xargs awk '
		function note(name) {
			if (name in home)
				print FILENAME ":" FNR ": " name " is declared in " home[name] ", too"
			home[name] = FILENAME
		}
		{ sub(/[ \t]*\/\*.*$/, "") }
		/^(async )?function|^class/ {
			sub(/^(async )?(function\*?|class) /, "")
			match($0, /^[A-Za-z_$0-9]+/)
			note(substr($0, 1, RLENGTH))
			next
		}
		/^(const|let|var) / || goes_on {
			sub(/^(const|let|var) |^\t/, "")
			goes_on = /,$/
			while (match($0, /^[A-Za-z_$][A-Za-z_$0-9]* = /)) {
				note(substr($0, 1, RLENGTH - 3))
				if (!match($0, /[^,]*, [A-Z_]+ = /))
					break
				sub(/^[^,]*, /, "")
			}
		}' >"$work/page"
	cat "$work/page"
	[[ ! -s $work/page ]]
}

licences_are_stated() {
	! sources | grep -v '/vmlinux\.h$' | xargs grep -L 'SPDX-License-Identifier: ' | grep . || return 1
	command -v reuse >/dev/null || { echo "reuse is missing; run scripts/deps.sh"; return 1; }
	reuse lint
}

# Only their projects can tell whether patches still apply; this finds lost lines.
patches_are_complete() {
	local patch

	for patch in scripts/upstream/*/*.patch; do
		if ! git mailinfo "$work/message" "$work/diff" <"$patch" >/dev/null ||
			! git apply --numstat "$work/diff" >/dev/null; then
			echo "$patch is incomplete, or was not made by git format-patch"
			return 1
		fi
	done
}

main() {
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/check/structure.sh --help" ;;
	esac
	cd "$here/../.."
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	include_arrows >"$work/arrows"
	unit_arrows >"$work/units"
	echo "TAP version 13"
	echo "1..9"
	ok "no more functions of over $longest lines than before" long_functions
	ok "no more headers with a single user than before" lonely_headers
	ok "no circle of source files" units_without_circle
	ok "no circle of folders" folders_without_circle
	ok "no message that is not escaped" messages_are_escaped
	ok "no name that is not escaped" names_are_escaped
	ok "no two scripts of the page with one name" page_names_are_unique
	ok "no source without a licence" licences_are_stated
	ok "no incomplete patch for another project" patches_are_complete
	((failed == 0))
}

main "$@"
