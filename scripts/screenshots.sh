#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The pictures in README.md: what fxt report says of a parallel build of this project.
#
# In:  this machine, which is recorded while it builds a copy of the tree;
#      FXT_BROWSER, if it is not chromium.
# Out: .readme/report-text.png, the beginning of the report as a terminal shows it, and
#      .readme/report-html.png, a part of the time line of fxt report --html.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

# More than that is no picture for a page of text.
most_bytes=256000
work=

usage() {
	cat <<'END'
usage: scripts/screenshots.sh

Installs what is needed, builds, records this machine with BPF while it builds a copy
of the tree on all CPUs, and makes the pictures of README.md from that recording:
.readme/report-text.png and .readme/report-html.png. The text is of all programs that
run meanwhile, by name: it is best made on an idle machine. The time line leaves out
threads that the build has not begun.

exit status: 0 done; 1 recording, reporting or drawing failed; 2 wrong usage;
3 something could not be installed or built.
END
}

# Neither what the build leaves nor its history belongs to a fresh tree.
copy_tree() {
	mkdir -- "$work/fxt-sched"
	tar --exclude=./.git -cf - . | tar -xf - -C "$work/fxt-sched"
	make -s -C "$work/fxt-sched" clean >/dev/null
}

# The first process of the build says who it is, all others of it are its children, and
# who was there before.
record() {
	local build
	build="echo \$\$ >first; ls /proc >older; exec make -s -C fxt-sched -j$(nproc) collector"
	(cd -- "$work" && as_root "$OLDPWD/collector/fxt-collect/fxt-collect" -q -s bpf -z zstd \
		--names comm --without host -o build.fxt.zst -- sh -c "$build") ||
		die 1 "recording the build failed (see above); run as root, or with sudo"
}

# As a terminal gets it: with colours, and with blocks for bars.
report_text() {
	(cd -- "$work" && env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 \
		script -qec "'$OLDPWD/collector/fxt/fxt' report build.fxt.zst" /dev/null \
		</dev/null >report.ansi) ||
		die 1 "fxt report failed: $(tail -n 1 "$work/report.ansi")"
}

report_html() {
	(cd -- "$work" && "$OLDPWD/collector/fxt/fxt" report --html report.html build.fxt.zst) ||
		die 1 "fxt report --html failed (see above)"
}

# draw NAME: one picture, which replaces the one before only if it is good.
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

main() {
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/screenshots.sh --help" ;;
	esac
	cd "$here/.."
	"$here/deps.sh" build || exit 3
	"$here/deps.sh" html || exit 3
	playwright=$(cache_dir)/playwright/node_modules/playwright-core
	browser=$(command -v "${FXT_BROWSER:-chromium}") ||
		die 3 "there is no ${FXT_BROWSER:-chromium}; set FXT_BROWSER to a Chromium"
	command -v script >/dev/null ||
		die 3 "there is no script, which is a terminal for others; install bsdutils"
	make -s -j"$(nproc)" collector bpf ||
		die 3 "the build failed: the lines above say where"
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	copy_tree
	say "recording a build of this tree on $(nproc) CPUs"
	record
	report_text
	report_html
	draw text
	draw html
}

main "$@"
