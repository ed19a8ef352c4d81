#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the Debian packages fxt-sched, libfxt-dev and fxt-sched-dkms.
#
# In:  the source tree; scripts/debian/; the maintainer in DEBFULLNAME and DEBEMAIL.
# Out: fxt-sched_VERSION_ARCH.deb, libfxt-dev_VERSION_ARCH.deb and
#      fxt-sched-dkms_VERSION_all.deb in a directory; their paths on standard output.
#
# Everything is built in a temporary copy; the tree is not changed.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

root=$(realpath -- "$here/..")
work=

usage() {
	cat <<'END'
usage: scripts/package-deb.sh [DIRECTORY]

Builds the Debian packages of fxt-sched in DIRECTORY (default: a new one below $TMPDIR)
and prints their paths.

exit status: 0 done; 1 the packages could not be built; 2 wrong usage; 3 a dependency
could not be installed.
END
}

# Copies only sources, so that no package has files that were built in this tree.
copy_sources() {
	mkdir -- "$1"
	tar -C "$root" -c --exclude-from="$root/.gitignore" \
		Makefile dkms.conf Kconfig COPYING LICENSES README.md bpf collector include kmod scripts |
		tar -C "$1" -x
	make -s -C "$1" clean KDIR= 2>/dev/null
}

version() {
	sed -n 's/^VERSION := //p' "$root/Makefile"
}

# Prints the time of the last change, so that the same sources yield the same package.
date_of_sources() {
	git -C "$root" log -1 --format=%cD 2>/dev/null || date -R
}

# make_debian DIR: makes DIR/debian from the templates.
make_debian() {
	local who="${DEBFULLNAME:-fxt-sched} <${DEBEMAIL:-fxt-sched@packages.invalid}>"
	cp -r -- "$here/debian" "$1/debian"
	sed -i "s|@MAINTAINER@|$who|" "$1/debian/control"
	mkdir -- "$1/debian/source"
	echo '3.0 (native)' >"$1/debian/source/format"
	cat >"$1/debian/changelog" <<-END
	fxt-sched ($(version)) unstable; urgency=medium

	  * Version $(version).

	 -- $who  $(date_of_sources)
	END
}

build() {
	(cd -- "$1" && DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc)" \
		dpkg-buildpackage --build=binary --no-sign) >"$work/log" 2>&1 || {
		cat -- "$work/log" >&2
		die 1 "dpkg-buildpackage failed: the lines above say where"
	}
}

main() {
	local to
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	-*) die 2 "$1: unknown option; see scripts/package-deb.sh --help" ;;
	esac
	(($# <= 1)) || { usage >&2; exit 2; }
	to=${1:-$(mktemp -d)}
	mkdir -p -- "$to" || die 1 "cannot create $to (see above); use another directory"
	"$here/deps.sh" build && "$here/deps.sh" package || exit 3
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	say "building the packages of version $(version)"
	copy_sources "$work/fxt-sched"
	make_debian "$work/fxt-sched"
	build "$work/fxt-sched"
	cp -- "$work"/*.deb "$to"
	printf '%s\n' "$to"/*.deb
}

main "$@"
