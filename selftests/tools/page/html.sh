#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The pages of fxt report --html, in a browser, as people use them: tools/page/html_check.js.
#
# In:  the programs as they are built; FXT_CACHE, where scripts/deps.sh html has put
#      playwright-core; FXT_BROWSER (default: chromium-headless-shell, which takes half of
#      chromium's CPU time, because it draws no windows; chromium if that is missing).
#      Arguments: a pattern for the names of the tests to run.
# Out: TAP; screenshots in the directory FXT_SCREENSHOTS, if it is set.

cd "$(dirname "$0")/../.." || exit 1
fxt=../collector/fxt/fxt
cache=${FXT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/fxt-sched}
playwright=$cache/playwright/node_modules/playwright-core
browser=$(command -v "${FXT_BROWSER:-chromium-headless-shell}" ||
	command -v "${FXT_BROWSER:-chromium}")
echo "TAP version 13"

skip_all() {
	echo "1..1"
	echo "ok 1 # SKIP html: $1; scripts/deps.sh html brings it"
	exit 0
}

command -v node >/dev/null || skip_all "no node here"
[ -n "$browser" ] || skip_all "no ${FXT_BROWSER:-chromium} here"
[ -d "$playwright" ] || skip_all "no playwright-core in $cache"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

slices=

# page NAME WISH...: makes an archive, its page, and its report as JSON.
page() {
	name=$1
	shift
	./generate "$@" >"$dir/$name.fxt" &&
		"$fxt" report --html "$dir/$name.html" ${slices:+--slices "$slices"} "$dir/$name.fxt" &&
		"$fxt" report --json "$dir/$name.fxt" >"$dir/$name.json"
}

# schedules: makes random schedules, whose truth account_test.c knows (lib/schedule.h). 3, 10, 11 and 19
# have a filter.
schedules() {
	for seed in 0 1 2 3 4 5 6 7 8 9 10 11 19; do
		page "schedule$seed" schedule $seed || return
	done
}

# compare NAME: makes NAME.html, which compares the start of the stacks' recording with all of it.
compare() {
	"$fxt" cut -q --to +0.008 -o "$dir/begin.fxt" "$dir/stacks.fxt" &&
		"$fxt" diff -q --html "$dir/$1.html" "$dir/begin.fxt" -- "$dir/stacks.fxt"
}

if ! page story page || ! page snapshot page trigger || ! page events page events || ! page stacks page stacks ||
   ! page late page late || ! page raised page raised || ! page moved page moved ||
   ! page commanded page commanded || ! page requests page requests || ! schedules ||
   ! page empty sched 0 1 || ! page few sched 300 4 || ! page random sched 20000 4 || ! page begun sched 20000 4 segment 5000 ||
   ! page large sched 1750000 4 || ! page many sched 60000 64 || ! compare diff ||
   ! slices=2000 page part sched 20000 4; then
	echo "1..1"
	echo "not ok 1 the pages cannot be made"
	exit 1
fi
node tools/page/html_check.js "$playwright" "$browser" "$dir" "$FXT_SCREENSHOTS" "$@"
