# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Debian's kernels, unpacked into the cache and never installed: what vm.sh
# boots and what the module is built against. Sourced by deps.sh, whose
# apt_update_once, apt_download, publish and $staging it uses.
#
# In:  Debian's packages of one kernel (image, headers, kbuild tools).
# Out: <cache>/kernels/KERNEL/
#        release   what uname -r says in the guest
#        version   the version of the Debian package
#        vmlinuz   the image as a boot loader takes it
#        vmlinux   the same, unpacked: boots faster, and holds the kernel's BTF;
#                  absent for a kernel that QEMU cannot boot this way
#        modules   -> root/lib/modules/<release>, with its modules.dep
#        headers   -> the KDIR for make -C KDIR M=... modules
#        root/     the packages' files, laid out as they would be in /

# The kernels there are: name, the packages that always depend on the newest
# build of the image and of the headers, and the one with the sources.
kernel_table() {
	cat <<'END'
6.1	linux-image-amd64	linux-headers-amd64	linux-source-6.1
END
}

kernel_names() {
	kernel_table | cut -f 1 | paste -s -d ' '
}

# kernel_row KERNEL: its line of the table; fails when there is none.
kernel_row() {
	kernel_table | awk -F '\t' -v name="$1" \
		'$1 == name { print; found = 1 } END { exit !found }'
}

# depends_of PACKAGE REGEX: the packages it depends on whose names match.
depends_of() {
	apt-cache depends "$1" 2>/dev/null |
		sed -n 's/^ *Depends: //p' | grep -E -x -- "$2" || true
}

# kernel_image_package KERNEL: for instance linux-image-6.1.0-56-amd64; nothing
# when this machine's package lists know of none.
kernel_image_package() {
	local meta
	IFS=$'\t' read -r _ meta _ < <(kernel_row "$1")
	depends_of "$meta" "linux-image-${1//./\\.}[.-].*" | head -n 1
}

package_version() {
	apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: //p'
}

# Debian builds external modules through two absolute or relative ties to /usr;
# the relative one (scripts, tools) holds inside root/, the absolute one has to
# be made relative too, so that the cache works wherever it is renamed to.
repair_headers() {
	local headers=$1 makefile=$1/Makefile
	# shellcheck disable=SC2016 # make expands it
	sed -i 's|^include /usr/src/|include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../|' \
		"$makefile"
	if grep -q '^include /' "$makefile" || [[ ! -x $headers/scripts/basic/fixdep ]]; then
		die 3 "headers in $headers do not look as Debian's do;" \
			"compare its Makefile and scripts with repair_headers in deps-kernel.sh"
	fi
}

# unpack_vmlinux DIR CONFIG: an emulated CPU takes two to three seconds to unpack
# the image that the host unpacks in half a second. Where its payload is, the
# boot protocol's header tells; QEMU boots the result if it was built for PVH.
unpack_vmlinux() {
	local dir=$1 config=$2 sectors offset length unpack=xz
	grep -q -x CONFIG_PVH=y "$config" || return 0
	grep -q -x CONFIG_KERNEL_ZSTD=y "$config" && unpack=zstd
	sectors=$(od -An -t u1 -j $((0x1f1)) -N 1 "$dir/vmlinuz")
	read -r offset length < <(od -An -t u4 -j $((0x248)) -N 8 "$dir/vmlinuz")
	# After the stream come four bytes that tell its size; both tools complain.
	tail -c +$(((sectors + 1) * 512 + offset + 1)) "$dir/vmlinuz" |
		head -c "$((length))" | "$unpack" -dcq >"$dir/vmlinux" 2>/dev/null || true
	if [[ $(head -c 4 "$dir/vmlinux") != $'\x7fELF' ]]; then
		say "vmlinuz of $dir holds no $unpack stream with an ELF file: booting it as it is"
		rm -f -- "$dir/vmlinux"
	fi
}

# unpack_kernel DIR RELEASE: turns DIR/*.deb into the layout told at the top.
unpack_kernel() {
	local dir=$1 release=$2 deb
	for deb in "$dir"/*.deb; do
		dpkg -x "$deb" "$dir/root" || die 3 "dpkg -x $deb failed (see above);" \
			"check the space left for $(cache_dir)"
		rm -- "$deb"
	done
	repair_headers "$dir/root/usr/src/linux-headers-$release"
	depmod -b "$dir/root" "$release"
	mv -- "$dir/root/boot/vmlinuz-$release" "$dir/vmlinuz"
	unpack_vmlinux "$dir" "$dir/root/boot/config-$release"
	ln -s "root/lib/modules/$release" "$dir/modules"
	ln -s "root/usr/src/linux-headers-$release" "$dir/headers"
	# Debian's links lead into /usr/src, where nothing was installed.
	ln -sfn ../../../../headers "$dir/root/lib/modules/$release/build"
	rm -f -- "$dir/root/lib/modules/$release/source"
	printf '%s\n' "$release" >"$dir/release"
}

fetch_kernel() {
	local kernel=$1 image=$2 version=$3 release headers dir
	release=${image#linux-image-}
	headers=linux-headers-$release
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/$kernel
	mkdir -- "$dir"
	say "kernel $kernel: fetching $release ($version)"
	# shellcheck disable=SC2046 # one word is one package
	apt_download "$dir" "$image" "$headers" \
		$(depends_of "$headers" 'linux-(headers|kbuild)-.*')
	unpack_kernel "$dir" "$release"
	printf '%s\n' "$version" >"$dir/version"
	publish "$dir" "$(kernel_dir "$kernel")"
}

# A cached kernel is kept until the package lists offer another version of it,
# or when they offer none (lists that were never fetched).
ensure_kernel() {
	local kernel=$1 image have='' want='' place
	place=$(kernel_dir "$kernel")
	[[ ! -e $place/version ]] || have=$(<"$place/version")
	image=$(kernel_image_package "$kernel")
	[[ -z $image ]] || want=$(package_version "$image")
	if [[ -n $have && ($have == "$want" || -z $want) ]]; then
		say "kernel $kernel: $(<"$place/release") ($have) is cached"
		return
	fi
	apt_update_once
	image=$(kernel_image_package "$kernel")
	[[ -n $image ]] || die 3 "no package of kernel $kernel in this machine's package lists;" \
		"run apt-get update, and check that its suite has that kernel"
	fetch_kernel "$kernel" "$image" "$(package_version "$image")"
	say "kernel $kernel: cached in $place"
}
