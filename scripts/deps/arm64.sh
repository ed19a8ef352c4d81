# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Fetches Debian's arm64 packages on a machine of another architecture. They are unpacked
# into the cache and never installed, so that this machine does not change and runs no
# foreign program. Sourced by deps.sh after suite.sh and kernel.sh; uses their
# functions and $staging.
#
# In:  the mirrors of this machine's package sources, for arm64.
# Out: <cache>/apt/arm64/       apt's state for arm64
#      <cache>/kernels/arm64/   as in kernel.sh, without vmlinux; the tools in
#                               headers run on this machine
#      <cache>/arm64/root/      libraries and headers to build with, and the root
#                               of the guest, in one
#      <cache>/arm64/packages   the packages in it, with their versions

# The libraries of the collector, fxt and the tests, then the programs that the start of
# the guest and the tests call.
arm64_packages() {
	cat <<'END'
libc6-dev libc6-dbg libgcc-s1
libbpf-dev libelf-dev libdw-dev libiberty-dev zlib1g-dev libzstd-dev libisal-dev liblzma-dev libbz2-dev
libsqlite3-dev libjson-c-dev libcap-dev libseccomp-dev libprotobuf-c-dev libmicrohttpd-dev libgnutls28-dev
libtraceevent-dev libtracefs-dev libtracecmd-dev
base-files base-passwd libc-bin busybox-static
bash dash coreutils diffutils findutils grep sed mawk perl
procps psmisc util-linux mount kmod gzip xz-utils zstd bpftool
END
}

arm64_dir() {
	printf '%s/arm64\n' "$(cache_dir)"
}

arm64_apt_dir() {
	printf '%s/apt/arm64\n' "$(cache_dir)"
}

arm64_suite=bookworm

# arm64_apt COMMAND...: apt-get for arm64, as if nothing were installed, and without the
# hooks of this machine's apt.
arm64_apt() {
	local dir
	dir=$(arm64_apt_dir)
	mkdir -p -- "$dir/state/lists/partial" "$dir/cache/archives/partial"
	: >"$dir/status"
	[[ -s $dir/sources.list ]] || suite_sources "$arm64_suite" >"$dir/sources.list"
	cat >"$dir/apt.conf" <<END
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Architectures;
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
Dir::Etc::sourcelist "$dir/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$dir/state";
Dir::State::status "$dir/status";
Dir::Cache "$dir/cache";
END
	apt-get -qq -c "$dir/apt.conf" "$@"
}

arm64_updated=

arm64_update_once() {
	[[ -z $arm64_updated ]] || return 0
	arm64_updated=yes
	say "refreshing the package lists of arm64"
	arm64_apt update ||
		say "refreshing the package lists of arm64 failed; using the existing ones"
}

# Refresh the lists if this machine's own are newer: then someone wants current packages.
arm64_update_if_older() {
	local lists
	lists=$(arm64_apt_dir)/state/lists
	if [[ ! -d $lists || /var/lib/apt/lists -nt $lists ]]; then
		arm64_update_once
	fi
}

# arm64_files PACKAGE...: the names of the .deb files of these and of all their
# dependencies; nothing if the lists do not have them.
arm64_files() {
	arm64_apt --print-uris install "$@" 2>/dev/null | awk '{ print $2 }' | LC_ALL=C sort
}

# arm64_fetch DIR PACKAGE...: as apt_download, without dependencies.
arm64_fetch() {
	local dir=$1
	shift
	(cd -- "$dir" && arm64_apt download "$@") ||
		die 3 "apt-get download $* for arm64 failed (see above);" \
			"check the network and run scripts/deps.sh vm arm64 again"
}

# arm64_unpack DEB ROOT: through the symbolic links /bin, /lib and /sbin, which dpkg -x
# would replace.
arm64_unpack() {
	dpkg --fsys-tarfile "$1" |
		tar -x -f - -C "$2" --keep-directory-symlink --no-same-owner ||
		die 3 "unpacking $1 failed (see above); check the space left for $(cache_dir)"
}

# Does the work of the packages' own installation scripts, as far as a compiler or a guest
# needs it.
arm64_finish_root() {
	local root=$1 link target
	cp -- "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
	cp -- "$root/usr/share/base-passwd/group.master" "$root/etc/group"
	cp -- "$root/usr/share/libc-bin/nsswitch.conf" "$root/etc/nsswitch.conf"
	ln -s mawk "$root/usr/bin/awk"
	[[ -e $root/usr/bin/sh ]] || ln -s dash "$root/usr/bin/sh"
	# Links to /lib... would resolve to this machine's files.
	find "$root/usr/lib" -type l -lname '/*' | while read -r link; do
		target=$root$(readlink -- "$link")
		ln -sfn -- "$(realpath -m -s --relative-to "${link%/*}" "$target")" "$link"
	done
}

make_arm64_root() {
	# shellcheck disable=SC2154 # set by deps.sh
	local files=$1 dir=$staging/arm64 name deb
	mkdir -p -- "$dir/root/usr/bin" "$dir/root/usr/lib" "$dir/root/usr/sbin"
	for name in bin lib sbin; do
		ln -s "usr/$name" "$dir/root/$name"
	done
	say "arm64: fetching $(wc -l <<<"$files") packages"
	# shellcheck disable=SC2046 # one word is one package
	arm64_apt --yes --download-only install $(arm64_packages) >/dev/null ||
		die 3 "apt-get install --download-only for arm64 failed (see above);" \
			"check the network and run scripts/deps.sh vm arm64 again"
	for deb in "$(arm64_apt_dir)"/cache/archives/*.deb; do
		arm64_unpack "$deb" "$dir/root"
	done
	rm -f -- "$(arm64_apt_dir)"/cache/archives/*.deb
	arm64_finish_root "$dir/root"
	printf '%s\n' "$files" >"$dir/packages"
	publish "$dir" "$(arm64_dir)"
	say "arm64: libraries and the guest's root are in $(arm64_dir)/root"
}

ensure_arm64_root() {
	local files place
	place=$(arm64_dir)
	# shellcheck disable=SC2046 # one word is one package
	files=$(arm64_files $(arm64_packages))
	if [[ -e $place/packages && ($files == "$(<"$place/packages")" || -z $files) ]]; then
		say "arm64: libraries and the guest's root are cached"
		return
	fi
	arm64_update_once
	# shellcheck disable=SC2046 # one word is one package
	files=$(arm64_files $(arm64_packages))
	[[ -n $files ]] || die 3 "this machine's package sources have no arm64 packages," \
		"or not all of: $(arm64_packages | tr '\n' ' '); see apt-get update"
	rm -f -- "$(arm64_apt_dir)"/cache/archives/*.deb
	make_arm64_root "$files"
}

# arm64_kernel_file: for instance linux-image-6.1.0-56-arm64_6.1.192-2_arm64.deb
arm64_kernel_file() {
	arm64_files linux-image-arm64 | grep -E '^linux-image-[0-9].*-arm64_' | head -n 1
}

fetch_arm64_kernel() {
	local file=$1 version=$2 image=${1%%_*} release common dir=$staging/arm64-kernel
	release=${image#linux-image-}
	common=linux-headers-${release%-arm64}-common
	mkdir -- "$dir"
	say "kernel arm64: fetching $release ($version)"
	arm64_fetch "$dir" "$image" "linux-headers-$release" "$common"
	# The scripts and tools of a build are programs of this machine.
	apt_update_once "$arm64_suite"
	apt_download "$arm64_suite" "$dir" "linux-kbuild-${release%%.0-*}"
	unpack_kernel "$dir" "$release"
	printf '%s\n' "$version" >"$dir/version"
	publish "$dir" "$(kernel_dir arm64)"
	say "kernel arm64: cached in $(kernel_dir arm64)"
}

ensure_arm64_kernel() {
	local file version have='' place
	place=$(kernel_dir arm64)
	[[ ! -e $place/version ]] || have=$(<"$place/version")
	file=$(arm64_kernel_file)
	version=$(cut -d _ -f 2 <<<"$file")
	if [[ -n $have && ($have == "$version" || -z $file) ]]; then
		say "kernel arm64: $(<"$place/release") ($have) is cached"
		return
	fi
	arm64_update_once
	file=$(arm64_kernel_file)
	[[ -n $file ]] || die 3 "no package linux-image-arm64 in this machine's package sources;" \
		"check that they have arm64, and run scripts/deps.sh vm arm64 again"
	fetch_arm64_kernel "$file" "$(cut -d _ -f 2 <<<"$file")"
}

ensure_arm64() {
	arm64_update_if_older
	ensure_arm64_kernel
	ensure_arm64_root
}
