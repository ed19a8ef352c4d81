#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual fxt-questions(7): what its commands print.
#
# In:  ../collector/man/fxt-questions.7: "$ COMMAND" and its output between .Bd and .Ed; recordings of
#      vectors/judged. FXT_GOLDEN=write writes the outputs anew.
# Out: TAP.
# Must hold: each command prints what the manual says.

cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
page=$(realpath ../collector/man/fxt-questions.7)
PATH=$(realpath "$(dirname "${FXT_TOOL:-../collector/fxt/fxt}")"):$PATH
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
for file in vectors/judged/*.fxt.zst; do
	zstd -q -d -o "$dir/$(basename "$file" .zst)" "$file"
done
cd "$dir" || exit 1

# What roff prints as these lines.
as_roff() {
	sed -e 's/\\/\\e/g' -e "s/^[.']/\\\\\\&&/"
}

echo "TAP version 13"
command='' number=0 failed=0
while IFS= read -r line; do
	case $line in
	"$ "*)
		command=${line#"$ "}
		echo "$line"
		sh -c "$command" 2>&1 | as_roff
		;;
	.Ed)
		command=''
		echo "$line"
		;;
	*) [ -n "$command" ] || echo "$line" ;;
	esac
done <"$page" >new
if [ "$FXT_GOLDEN" = write ]; then
	cat new >"$page"
fi

# block N FILE: the lines of a question, between its title and the next.
block() {
	awk -v n="$1" '/^\.(Ss|Sh)/ { at++ } at == n' "$2"
}

echo "1..$(grep -c '^\$ ' "$page")"
for at in $(awk '/^\.(Ss|Sh)/ { at++ } /^\$ / { print at }' "$page"); do
	number=$((number + 1))
	title=$(block "$at" "$page" | sed -n '1s/^\.Ss //p')
	block "$at" "$page" >old_block
	block "$at" new >new_block
	if diff old_block new_block >difference; then
		echo "ok $number $title"
	else
		failed=1
		sed 's/^/# /' difference
		echo "not ok $number $title"
	fi
done
exit "$failed"
