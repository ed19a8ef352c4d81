#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds and lints the packages. With the argument "all", also builds them again to compare them, and
# uses them: with DKMS against real headers, and in a fresh Debian of this machine's release, where
# they are installed, run (also as services of a running systemd), and removed again. That takes some
# minutes.
#
# In:  the source tree; with "all" the cache of scripts/deps.sh, and root.
# Out: TAP; temporary directories only, which are removed.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

root=$(realpath -- "$here/../..")
version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
work=

usage() {
	cat <<'END'
usage: scripts/check/packages.sh [all]

Builds the Debian packages with less optimization, and lints them. With all, it builds them as
they are released, twice, and compares them, builds the module with DKMS against the cached
headers, and installs, runs and removes the packages in a fresh Debian.

exit status: 0 all passed; 1 a test failed; 2 wrong usage; 3 a dependency could not be
installed, or, with all, not root.
END
}

# `dkms add .` in the tree as it is, but with separate directories for its output.
dkms_builds() {
	local headers release own
	headers=$("$here/../deps.sh" --kdir) || return 1
	release=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$headers/include/generated/utsrelease.h")
	mkdir -- "$work/src" "$work/dkms" || return 1
	own=("--sourcetree=$work/src" "--dkmstree=$work/dkms" --no-depmod)
	dkms add "$root" "${own[@]}" &&
		dkms build -m fxt-sched -v "$version" -k "$release" \
			"--kernelsourcedir=$headers" "${own[@]}" &&
		[[ $(modinfo -F vermagic "$work"/dkms/fxt-sched/*/*/*/module/fxt_sched.ko*) == \
			"$release "* ]]
}

packages_are_made() {
	local package
	"$here/../package-deb.sh" "$work/debs" || return
	for package in fxt-sched libfxt0 libfxt-dev python3-fxt fxt-sched-dkms; do
		compgen -G "$work/debs/${package}_$version-1_*.deb" || return
	done
}

# Builds them again in another directory, time zone and locale, with another mask of permissions,
# and later.
packages_are_reproducible() {
	mkdir -p -- "$work/another/deeper/place" &&
		(umask 077 && TMPDIR=$work/another/deeper/place TZ=Pacific/Chatham LC_ALL=C.UTF-8 \
			"$here/../package-deb.sh" "$work/again") || return
	local file status=0
	for file in "$work"/debs/*.{deb,dsc,tar.xz}; do
		cmp -- "$file" "$work/again/${file##*/}" || status=1
	done
	return "$status"
}

# The first upload closes no bug of Debian. The udev rules have no hardware for which software
# catalogues could offer a driver.
not_ours=initial-upload-closes-no-bugs,appstream-metadata-missing-modalias-provide

# A warning counts as an error, and so does a program without hardening.
lintian_finds_nothing() {
	lintian --no-cfg --allow-root --fail-on error,warning --tag-display-limit 0 \
		--suppress-tags "$not_ours" "$work"/debs/*.changes &&
		lintian --no-cfg --allow-root --fail-on error,warning,info,pedantic --display-info \
			--tags "hardening-no-bindnow,hardening-no-fortify-functions,hardening-no-pie,\
hardening-no-relro" "$work"/debs/*.deb
}

# Checks that each unit has the programs of this tree.
units_verify() {
	local unit
	for unit in fxt-flight-recorder fxt-ship; do
		sed "s|@PREFIX@/bin/fxt-collect|$root/collector/fxt-collect/fxt-collect|
			s|@PREFIX@/lib/fxt-sched|$root/scripts/fleet|
			s|@PREFIX@|/usr|" "$root/collector/systemd/$unit.service.in" \
			>"$work/$unit.service" &&
			systemd-analyze verify --man=no "$work/$unit.service" &&
			systemd-analyze security --offline=yes --threshold=25 --no-pager \
				"$work/$unit.service" || return
	done
	cp -- "$root/collector/systemd/fxt-ship.timer" "$work/" &&
		systemd-analyze verify --man=no "$work/fxt-ship.timer"
}

debian_is_made() {
	local codename
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mmdebstrap --variant=apt --include=systemd-sysv,rclone "$codename" "$work/debian" &&
		cp -- "$work"/debs/*.deb "$work/debian/root/"
}

# in_debian COMMAND...: in a mount namespace of its own, so that its mounts end with it.
in_debian() {
	# shellcheck disable=SC2016 # the inner shell's
	unshare --mount sh -ec '
		mount -t proc proc "$0/proc"
		mount --rbind /sys "$0/sys"
		mount --rbind /dev "$0/dev"
		cp /etc/resolv.conf "$0/etc/" 2>/dev/null || true
		exec chroot "$0" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"' \
		"$work/debian" "$@"
}

# test_in_debian NAME: a test of the source package, as autopkgtest would run it.
test_in_debian() {
	cp -- "$here/../debian/tests/$1" "$work/debian/tmp/" &&
		in_debian env AUTOPKGTEST_TMP=/tmp "/tmp/$1"
}

programs_run() {
	in_debian sh -ec '
		apt-get update
		apt-get -y --no-install-recommends install /root/fxt-sched_*.deb' &&
		test_in_debian record &&
		in_debian dpkg --verify fxt-sched
}

# Runs in a container, whose changes to the Debian are discarded. Besides systemd's own services it
# starts one, which runs units.sh and ends the container.
units_run() {
	mkdir -- "$work/units" &&
		cp -- "$here/units.sh" "$work/debian/tmp/x.fxt" "$work/units/" || return
	cat >"$work/units/check.service" <<-'END'
	[Unit]
	SuccessAction=poweroff-force
	FailureAction=poweroff-force
	[Service]
	Type=oneshot
	ExecStart=/check/units.sh
	StandardOutput=truncate:/check/log
	StandardError=inherit
	END
	timeout 300 systemd-nspawn --quiet --register=no --keep-unit --console=pipe \
		--volatile=overlay --capability=all --system-call-filter="bpf perf_event_open" \
		--bind="$work/units:/check" --directory="$work/debian" --machine=fxt-units \
		--bind-ro="$work/units/check.service:/etc/systemd/system/check.service" \
		--boot systemd.unit=check.service </dev/null
	cat -- "$work/units/log"
	[[ -e $work/units/passed ]]
}

library_works() {
	in_debian sh -ec '
		apt-get -y --no-install-recommends install gcc libc6-dev pkg-config \
			/root/libfxt0_*.deb /root/libfxt-dev_*.deb /root/python3-fxt_*.deb' &&
		test_in_debian library
}

dkms_package_builds() {
	# shellcheck disable=SC2016 # the inner shell's
	in_debian sh -ec '
		apt-get -y --no-install-recommends install \
			"linux-headers-$(dpkg --print-architecture)" /root/fxt-sched-dkms_*.deb
		dkms status fxt-sched
		dkms status fxt-sched | grep ": installed"
		modinfo "$(find /lib/modules -name "fxt_sched.ko*")"'
}

nothing_is_left() {
	in_debian sh -ec 'apt-get -y purge fxt-sched fxt-sched-dkms python3-fxt libfxt-dev libfxt0' &&
		! find "$work/debian" -xdev \( -name '*fxt[-_]*' -o -name fxt \) \
			! -path "$work/debian/root/*" ! -path "$work/debian/tmp/*" \
			! -path "$work/debian/var/log/*" | grep .
}

test_made() {
	ok "the packages are built" packages_are_made
	ok "lintian finds neither error nor warning, and all are hardened" lintian_finds_nothing
}

test_used() {
	ok "built again elsewhere, they have the same bits" packages_are_reproducible
	ok "DKMS builds the module" dkms_builds
	ok "the unit is valid and confined" units_verify
	ok "a fresh Debian is created" debian_is_made
	ok "the programs install and record" programs_run
	ok "the services run under systemd" units_run
	ok "programs and Python use the library's packages" library_works
	ok "the module's package builds the module" dkms_package_builds
	ok "purging leaves nothing" nothing_is_left
}

main() {
	case ${1-} in
	'' | all) ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/check/packages.sh --help" ;;
	esac
	[[ -z ${1-} ]] || ((EUID == 0)) ||
		die 3 "creating and entering a Debian requires root; use sudo"
	"$here/../deps.sh" build && "$here/../deps.sh" package || exit 3
	[[ -z ${1-} ]] || "$here/../deps.sh" vm || exit 3
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	echo "TAP version 13"
	if [[ -n ${1-} ]]; then
		echo "1..11"
		test_made
		test_used
	else
		# Lintian sees the same, in half the compiler's time.
		export DEB_CFLAGS_APPEND="-O1 -g1"
		echo "1..2"
		test_made
	fi
	((failed == 0))
}

main "$@"
