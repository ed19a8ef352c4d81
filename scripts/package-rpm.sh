#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds RPM packages from the last commit.
#
# In:  the repository; scripts/packaging/fxt-sched.spec; rpmbuild.
# Out: packages in a directory; their paths on standard output.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

root=$(realpath -- "$here/..")
work=

usage() {
	cat <<'END'
usage: scripts/package-rpm.sh [--nodeps] [DIRECTORY]

Builds RPM packages of the last commit in DIRECTORY (default: a new one below $TMPDIR) and
prints their paths. With --nodeps, the requirements of the build are not checked, as is
necessary where they are not RPM packages.

exit status: 0 done; 1 the packages could not be built; 2 wrong usage; 3 rpmbuild is
missing.
END
}

main() {
	local options=() to version sources
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--nodeps) options=(--nodeps); shift ;;
	-*) die 2 "$1: unknown option; see scripts/package-rpm.sh --help" ;;
	esac
	(($# <= 1)) || { usage >&2; exit 2; }
	command -v rpmbuild >/dev/null || die 3 "rpmbuild is missing: install rpm-build, or rpm on Debian"
	to=${1:-$(mktemp -d)}
	mkdir -p -- "$to" || die 1 "cannot create $to (see above); use another directory"
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	version=$(git -C "$root" show HEAD:Makefile | sed -n 's/^VERSION := //p')
	sources=fxt-sched-$version
	mkdir -- "$work/SOURCES"
	git -C "$root" archive --prefix="$sources/" -o "$work/SOURCES/$sources.tar.gz" HEAD
	tar -C "$work" -xf "$work/SOURCES/$sources.tar.gz" "$sources/scripts/packaging/fxt-sched.spec"
	say "building the packages of version $version"
	rpmbuild -ba "${options[@]}" --define "_topdir $work" --define "fxt_version $version" \
		"$work/$sources/scripts/packaging/fxt-sched.spec" >"$work/log" 2>&1 || {
		cat -- "$work/log" >&2
		die 1 "rpmbuild failed: the lines above say where"
	}
	find "$work/RPMS" "$work/SRPMS" -name '*.rpm' -printf "%f\n" -exec mv -t "$to" -- {} \; |
		sort | while IFS= read -r name; do printf '%s\n' "$to/$name"; done
}

main "$@"
