#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the pictures in README.md: fxt report of a parallel build of this project.
#
# In:  this machine, which is recorded while it builds a copy of the tree;
#      FXT_BROWSER (default: chromium).
# Out: .readme/report-text.png, the beginning of the report as a terminal shows it, and
#      .readme/report-html.png, a part of the timeline of fxt report --html.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

# Larger pictures are too large for a page of text.
most_bytes=256000
work=

usage() {
	cat <<'END'
usage: scripts/screenshots.sh

Installs dependencies, builds, records this machine with BPF while it builds a copy of the
tree on all CPUs, and makes the pictures of README.md from that recording:
.readme/report-text.png and .readme/report-html.png. The text covers all programs that run
meanwhile, by name: an otherwise idle machine is best. The timeline omits threads that the
build has not started.

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

# The first process of the build notes its own id, whose descendants are the build, and
# the processes that exist before it.
record() {
	local build
	build="echo \$\$ >first; ls /proc >older; exec make -s -C fxt-sched -j$(nproc) collector"
	(cd -- "$work" && as_root "$OLDPWD/collector/fxt-collect/fxt-collect" -q -s bpf -z zstd \
		--names comm --without host -o build.fxt.zst -- sh -c "$build") ||
		die 1 "recording the build failed (see above); run as root, or with sudo"
}

# As on a terminal: with colours, and with blocks for bars.
report_text() {
	(cd -- "$work" && env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 PAGER=cat \
		script -qec "'$OLDPWD/collector/fxt/fxt' report build.fxt.zst" /dev/null \
		</dev/null >report.ansi) ||
		die 1 "fxt report failed: $(tail -n 1 "$work/report.ansi")"
}

report_html() {
	(cd -- "$work" && "$OLDPWD/collector/fxt/fxt" report --html report.html build.fxt.zst) ||
		die 1 "fxt report --html failed (see above)"
}

# draw NAME: one picture, which replaces the previous one only on success.
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
		die 3 "${FXT_BROWSER:-chromium} is missing; set FXT_BROWSER to a Chromium"
	command -v script >/dev/null ||
		die 3 "script, which provides a terminal, is missing; install bsdutils"
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
