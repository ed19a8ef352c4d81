#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the Debian packages, and the source package that they are from.
#
# In:  the source tree; scripts/debian/; the maintainer in DEBFULLNAME and DEBEMAIL.
# Out: fxt-sched, libfxt0, libfxt-dev, python3-fxt and fxt-sched-dkms_VERSION.deb, the source
#      package and its .changes in a directory; the paths of the .deb on standard output.
#
# Everything is built in a temporary copy; the tree is not changed. The same sources yield the same
# bits, in whatever directory, locale and time zone.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

root=$(realpath -- "$here/..")
work=
check=

usage() {
	cat <<'END'
usage: scripts/package-deb.sh [--check] [DIRECTORY]

Builds the Debian packages of fxt-sched in DIRECTORY (default: a new one below $TMPDIR)
and prints their paths. With --check, the build also runs the fast tests (make quick), as on the
machines of distributions; this needs the package linux-source.

exit status: 0 done; 1 the packages could not be built; 2 wrong usage; 3 a dependency
could not be installed.
END
}

# copy_sources DIR: only sources, so that no package has files that were built in this tree.
copy_sources() {
	mkdir -- "$1"
	if [[ -e $root/.git ]]; then
		git -C "$root" ls-files -z | tar -C "$root" -c --null -T - | tar -C "$1" -x
	else
		cp -r -- "$root/." "$1"
		make -s -C "$1" clean KDIR= KSELFTEST=/nonexistent 2>/dev/null
	fi
}

# make_original DIR: the upstream part of the source package, beside DIR.
make_original() {
	tar -C "$work" --sort=name --mtime="$(date_of_sources)" --owner=0 --group=0 \
		--numeric-owner --mode=u+rw,go=u-w -cJ \
		-f "$work/fxt-sched_$(version).orig.tar.xz" "${1##*/}"
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
	cat >"$1/debian/changelog" <<-END
	fxt-sched ($(version)-1) unstable; urgency=medium

	  * Initial release.

	 -- $who  $(date_of_sources)
	END
}

# A compiler cache would return what it compiled in another folder.
build() {
	local options="noautodbgsym parallel=$(nproc)" profiles=
	[[ -n $check ]] || options+=" nocheck" profiles=nocheck
	(cd -- "$1" && CCACHE_DISABLE=1 DEB_BUILD_OPTIONS=$options dpkg-buildpackage \
		--build-profiles="$profiles" --no-sign) >"$work/log" 2>&1 || {
		cat -- "$work/log" >&2
		die 1 "dpkg-buildpackage failed: the lines above say where"
	}
}

main() {
	local to tree
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--check) check=yes; shift ;;
	-*) die 2 "$1: unknown option; see scripts/package-deb.sh --help" ;;
	esac
	(($# <= 1)) || { usage >&2; exit 2; }
	to=${1:-$(mktemp -d)}
	mkdir -p -- "$to" || die 1 "cannot create $to (see above); use another directory"
	"$here/deps.sh" build && "$here/deps.sh" package || exit 3
	# The source package has the permissions of its files.
	umask 022
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	say "building the packages of version $(version)"
	tree=$work/fxt-sched-$(version)
	copy_sources "$tree"
	make_original "$tree"
	make_debian "$tree"
	build "$tree"
	cp -- "$work"/*.{deb,dsc,changes,buildinfo,tar.xz} "$to"
	printf '%s\n' "$to"/*.deb
}

main "$@"
