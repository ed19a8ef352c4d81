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
#        config    what it was configured with
#        modules   -> root/lib/modules/<release>, with its modules.dep
#        headers   -> the KDIR for make -C KDIR M=... modules
#        compiler  the package of the compiler that built it, if its headers tell
#        root/     the packages' files, laid out as they would be in /

# The kernels there are: name, the Debian release it comes from, the package that
# always depends on the newest image, a pattern for that image's name, and the
# release whose compiler builds modules for it. The last Debian without a release,
# sid, goes on to newer kernels: then its row tests those, and vm.sh says which.
kernel_table() {
	cat <<'END'
5.10	bullseye	linux-image-amd64	linux-image-5\.10\..*	bookworm
6.1	bookworm	linux-image-amd64	linux-image-6\.1\..*	bookworm
rt	bookworm	linux-image-rt-amd64	linux-image-6\.1\..*-rt-.*	bookworm
6.12	trixie	linux-image-amd64	linux-image-6\.12\..*	trixie
7.2	sid	linux-image-amd64	linux-image-[0-9].*	sid
END
}

kernel_names() {
	kernel_table | cut -f 1 | paste -s -d ' '
}

# kernel_field KERNEL FIELD: one of its line of the table; fails when there is none.
kernel_field() {
	kernel_table | awk -F '\t' -v name="$1" -v field="$2" '
		BEGIN { split("name suite meta image toolchain", names, " ")
			for (i in names) if (names[i] == field) column = i }
		$1 == name { print $column; found = 1 }
		END { exit !found }'
}

# kernel_image_package KERNEL: for instance linux-image-6.1.0-56-amd64; nothing
# when the package lists know of none.
kernel_image_package() {
	depends_of "$(kernel_field "$1" suite)" "$(kernel_field "$1" meta)" \
		"$(kernel_field "$1" image)" | head -n 1
}

# Debian builds external modules through two absolute or relative ties to /usr;
# the relative one (scripts, tools) holds inside root/, the absolute one, in the
# top Makefile, has to be made relative too, so that the cache works wherever it is renamed to.
repair_headers() {
	local headers=$1 makefile=$1/Makefile
	# shellcheck disable=SC2016 # make expands it
	sed -i 's|^include /usr/src/|include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../|
		s|^KBUILD_OUTPUT=/usr/src/.*|KBUILD_OUTPUT:=$(realpath $(dir $(lastword $(MAKEFILE_LIST))))|' \
		"$makefile"
	if grep -q -E '^include /|=/' "$makefile" || [[ ! -x $headers/scripts/basic/fixdep ]]; then
		die 3 "headers in $headers do not look as Debian's do;" \
			"compare its Makefile and scripts with repair_headers in deps-kernel.sh"
	fi
}

# unpack_vmlinux DIR: an emulated CPU takes two to three seconds to unpack
# the image that the host unpacks in half a second. Where its payload is, the
# boot protocol's header tells; QEMU boots the result if it was built for PVH.
unpack_vmlinux() {
	local dir=$1 sectors offset length unpack=xz
	grep -q -x CONFIG_PVH=y "$dir/config" || return 0
	if grep -q -x CONFIG_KERNEL_ZSTD=y "$dir/config"; then
		unpack=zstd
	fi
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
	# From 6.12 on Debian's modules are in /usr/lib.
	[[ -e $dir/root/lib ]] || ln -s usr/lib "$dir/root/lib"
	repair_headers "$dir/root/usr/src/linux-headers-$release"
	depmod -b "$dir/root" "$release"
	# From 7 on, the image and its configuration are among the modules.
	if [[ -e $dir/root/boot/vmlinuz-$release ]]; then
		mv -- "$dir/root/boot/vmlinuz-$release" "$dir/vmlinuz"
		mv -- "$dir/root/boot/config-$release" "$dir/config"
	else
		mv -- "$dir/root/lib/modules/$release/vmlinuz" "$dir/vmlinuz"
		mv -- "$dir/root/lib/modules/$release/config" "$dir/config"
	fi
	unpack_vmlinux "$dir"
	ln -s "root/lib/modules/$release" "$dir/modules"
	ln -s "root/usr/src/linux-headers-$release" "$dir/headers"
	# Debian's links lead into /usr/src, where nothing was installed.
	ln -sfn ../../../../headers "$dir/root/lib/modules/$release/build"
	rm -f -- "$dir/root/lib/modules/$release/source"
	printf '%s\n' "$release" >"$dir/release"
}

fetch_kernel() {
	local kernel=$1 image=$2 version=$3 release headers dir suite
	suite=$(kernel_field "$kernel" suite)
	release=${image#linux-image-}
	headers=linux-headers-$release
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/$kernel
	mkdir -- "$dir"
	say "kernel $kernel: fetching $release ($version)"
	# Newer images come in parts.
	# shellcheck disable=SC2046 # one word is one package
	apt_download "$suite" "$dir" "$image" "$headers" \
		$(depends_of "$suite" "$image" "linux-(base|binary|modules)-[0-9].*") \
		$(depends_of "$suite" "$headers" 'linux-(headers|kbuild)-.*')
	depends_of "$suite" "$headers" 'gcc-[0-9]+(-for-host)?' >"$dir/compiler"
	unpack_kernel "$dir" "$release"
	printf '%s\n' "$version" >"$dir/version"
	publish "$dir" "$(kernel_dir "$kernel")"
}

# A cached kernel is kept until the package lists offer another version of it,
# or when they offer none (lists that were never fetched).
ensure_kernel() {
	local kernel=$1 suite image have='' want='' place
	place=$(kernel_dir "$kernel")
	suite=$(kernel_field "$kernel" suite)
	# Without its configuration it is of an older layout.
	[[ ! -e $place/config ]] || have=$(<"$place/version")
	image=$(kernel_image_package "$kernel")
	[[ -z $image ]] || want=$(package_version "$suite" "$image")
	if [[ -n $have && ($have == "$want" || -z $want) ]]; then
		say "kernel $kernel: $(<"$place/release") ($have) is cached"
	else
		apt_update_once "$suite"
		image=$(kernel_image_package "$kernel")
		[[ -n $image ]] || die 3 "no package of kernel $kernel in the package lists" \
			"of $suite; check the network, and that $suite still has that kernel"
		fetch_kernel "$kernel" "$image" "$(package_version "$suite" "$image")"
		say "kernel $kernel: cached in $place"
	fi
	ensure_toolchain "$(kernel_field "$kernel" toolchain)" "$(<"$place/compiler")"
}
