#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the commands in the manuals print.
#
# In:  ../collector/man/: "$ COMMAND" and its output, in each block from .Bd to .Ed whose first
#      command names a recording of vectors/judged. FXT_GOLDEN=write writes the outputs anew.
# Out: TAP, one line for each manual that has such a block.
# Must hold: each command prints what the manual says.

cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
tool=$(realpath "$(dirname "${FXT_TOOL:-../collector/fxt/fxt}")")
recordings=$(realpath vectors/judged)
pages=$(realpath ../collector/man/*.[0-9])
PATH=$tool:$PATH
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# What roff prints as these lines, which may not end with blanks.
as_roff() {
	sed -e 's/ *$//' -e 's/\\/\\e/g' -e "s/^[.']/\\\\\\&&/"
}

# Prints a manual with what its commands print here, in a directory with the recordings.
run_commands() {
	set -f	# commands have patterns
	block='' runs=''
	while IFS= read -r line; do
		case $line in
		.Bd*) block='first' runs='' ;;
		.Ed) block='' runs='' ;;
		*)
			# The words of the first line of the block, if it is a command.
			[ "$block" != first ] || case $line in "$ "*)
				for word in $line; do
					[ ! -e "${word%%.fxt*}.fxt.zst" ] || runs=yes
				done
				;;
			esac
			block='more'
			;;
		esac
		case $runs$line in
		"yes$ "*)
			printf '%s\n' "$line"
			sh -c "${line#"$ "}" 2>&1 | as_roff
			;;
		yes*) ;;
		*) printf '%s\n' "$line" ;;
		esac
	done
}

mkdir "$dir/recordings"
cp "$recordings"/*.fxt.zst "$dir/recordings"
zstd -q -d "$dir"/recordings/*.zst
echo "TAP version 13"
number=0 failed=0
for page in $pages; do
	rm -rf "$dir/here"
	cp -r "$dir/recordings" "$dir/here"
	cd "$dir/here" || exit 1
	run_commands <"$page" >"$dir/new"
	[ "$FXT_GOLDEN" != write ] || cat "$dir/new" >"$page"
	number=$((number + 1))
	if diff "$page" "$dir/new" >"$dir/difference"; then
		echo "ok $number $(basename "$page")"
	else
		failed=1
		sed 's/^/# /' "$dir/difference"
		echo "not ok $number $(basename "$page")"
	fi
done
echo "1..$number"
exit "$failed"
