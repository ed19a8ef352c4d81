#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the pictures in README.md: fxt report of a parallel build of this project, and of a lock
# convoy.
#
# In:  this machine, which is recorded while it builds a copy of the tree, and while it runs
#      selftests/bank; FXT_BROWSER (default: chromium, else chromium-headless-shell).
# Out: .readme/report-text.png, the beginning of the report as a terminal shows it,
#      .readme/report-html.png, a part of the timeline of fxt report --html, and
#      .readme/report-stacks.png, its flame graph.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

# Limit of a picture's size, because README.md loads all of them.
most_bytes=256000
work=
group=
pictures=()

usage() {
	cat <<'END'
usage: scripts/screenshots.sh [text|html|stacks]...

Installs dependencies, builds, records this machine with BPF, and makes the pictures of
README.md from the recordings (default: all of them):

  text    .readme/report-text.png and
  html    .readme/report-html.png, while a copy of the tree is built on all CPUs, in a cgroup
          of its own. The text lists the threads of that cgroup. Its totals are those of the
          whole machine, so use a machine that is otherwise idle. The timeline omits threads
          that the build has not started.
  stacks  .readme/report-stacks.png, while selftests/bank runs; omits all other programs

exit status: 0 done; 1 recording, reporting or drawing failed; 2 wrong usage;
3 something could not be installed or built.
END
}

# A fresh tree, without history and built files.
copy_tree() {
	mkdir -- "$work/fxt-sched"
	tar --exclude=./.git -cf - . | tar -xf - -C "$work/fxt-sched"
	make -s -C "$work/fxt-sched" clean >/dev/null
}

# The build gets a cgroup of its own, by which the report selects it.
make_group() {
	local mount
	mount=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
	[[ -n $mount ]] || die 1 "no cgroup2 hierarchy is mounted"
	group=$mount/build
	as_root mkdir -p -- "$group" || die 1 "cannot make the cgroup $group; run as root, or with sudo"
}

# The first process of the build writes down its own id, to find its descendants, and the
# processes that existed before it.
record_build() {
	local build
	make_group
	build="echo \$\$ >first; ls /proc >older; exec make -s -C fxt-sched -j$(nproc) collector"
	(cd -- "$work" && as_root sh -c "echo \$\$ >'$group/cgroup.procs' && exec \"\$@\"" sh \
		"$OLDPWD/collector/fxt-collect/fxt-collect" -q -s bpf -z zstd \
		--names comm --without host -o build.fxt.zst -- sh -c "$build") ||
		die 1 "recording the build failed (see above); run as root, or with sudo"
}

record_bank() {
	(cd -- "$work" && as_root "$OLDPWD/collector/fxt-collect/fxt-collect" -q -s bpf \
		--stacks offcpu,wake --stacks-min 0 --without host -o bank.fxt -- \
		"$OLDPWD/selftests/bank" . 3) ||
		die 1 "recording selftests/bank failed (see above); run as root, or with sudo"
}

# As on a terminal: with colours, and with blocks for bars.
report_text() {
	(cd -- "$work" && env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 PAGER=cat \
		script -qec "'$OLDPWD/collector/fxt/fxt' report -q --cgroup /build build.fxt.zst" \
		/dev/null </dev/null >report.ansi) ||
		die 1 "fxt report failed: $(tail -n 1 "$work/report.ansi")"
}

# report_html NAME: NAME.html, of the recording NAME.fxt or NAME.fxt.zst.
report_html() {
	(cd -- "$work" && "$OLDPWD/collector/fxt/fxt" report --html "$1.html" "$1".fxt*) ||
		die 1 "fxt report --html failed (see above)"
}

# draw NAME: draws a picture, which only replaces the previous one if that succeeds.
draw() {
	local name=report-$1.png bytes
	node "$here/screenshots.js" "$1" "$work" "$playwright" "$browser" "$work/$name" ||
		die 1 "$browser could not draw $name (see above)"
	bytes=$(stat -c %s -- "$work/$name")
	((bytes <= most_bytes)) ||
		die 1 "$name has $bytes bytes, more than $most_bytes; try again"
	mkdir -p .readme
	cp -- "$work/$name" ".readme/$name"
	say "made .readme/$name, $bytes bytes"
}

clean_up() {
	# Processes of an interrupted build may still be ending in the cgroup.
	[[ -z $group ]] || as_root rmdir -- "$group" 2>/dev/null || say "$group is left behind"
	rm -rf -- "$work"
}

# wants NAME: is this picture asked for?
wants() {
	[[ ${#pictures[@]} == 0 || " ${pictures[*]} " == *" $1 "* ]]
}

draw_build() {
	copy_tree
	say "recording a build of this tree on $(nproc) CPUs"
	record_build
	if wants text; then
		report_text
		draw text
	fi
	if wants html; then
		report_html build
		draw html
	fi
}

draw_bank() {
	make -s -C selftests "$PWD/selftests/bank" ||
		die 3 "the build failed: the lines above say where"
	say "recording selftests/bank"
	record_bank
	report_html bank
	draw stacks
}

main() {
	local i
	for i; do
		case $i in
		text | html | stacks) pictures+=("$i") ;;
		-h | --help) usage; exit 0 ;;
		*) die 2 "$i: unknown argument; see scripts/screenshots.sh --help" ;;
		esac
	done
	cd "$here/.."
	"$here/deps.sh" build || exit 3
	"$here/deps.sh" html || exit 3
	playwright=$(cache_dir)/playwright/node_modules/playwright-core
	browser=$(find_browser) ||
		die 3 "${FXT_BROWSER:-chromium} is missing; set FXT_BROWSER to a Chromium"
	command -v script >/dev/null ||
		die 3 "script, which provides a terminal, is missing; install bsdutils"
	make -s -j"$(nproc)" collector bpf ||
		die 3 "the build failed: the lines above say where"
	work=$(mktemp -d)
	trap clean_up EXIT
	if wants text || wants html; then
		draw_build
	fi
	if wants stacks; then
		draw_bank
	fi
}

main "$@"
