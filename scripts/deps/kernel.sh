# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Fetches Debian's kernels, which are unpacked into the cache and never installed. vm.sh
# boots them, and the module is built against them. Sourced by deps.sh; uses its
# apt_update_once, apt_download, publish and $staging.
#
# In:  Debian's packages of one kernel (image, headers, kbuild tools).
# Out: <cache>/kernels/KERNEL/
#        release   what uname -r prints in the guest
#        version   the version of the Debian package
#        vmlinuz   the compressed image
#        vmlinux   the same, unpacked: boots faster, and has the kernel's BTF;
#                  absent if QEMU cannot boot it
#        config    its configuration
#        modules   -> root/lib/modules/<release>, with its modules.dep
#        headers   -> the KDIR for make -C KDIR M=... modules
#        compiler  the package of the compiler that built it, if its headers name it
#        root/     the packages' files, laid out as they would be in /

# The supported kernels: name, the Debian release of the kernel, the package that
# always depends on the newest image, a pattern for that image's name, and the
# release whose compiler builds modules for it. When sid moves on to newer kernels, its row
# stands for those, and vm.sh reports which.
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

# kernel_field KERNEL FIELD: a field of its row of the table; fails if there is no row.
kernel_field() {
	kernel_table | awk -F '\t' -v name="$1" -v field="$2" '
		BEGIN { split("name suite meta image toolchain", names, " ")
			for (i in names) if (names[i] == field) column = i }
		$1 == name { print $column; found = 1 }
		END { exit !found }'
}

# kernel_image_package KERNEL: e.g. linux-image-6.1.0-56-amd64; nothing if the package
# lists do not have it.
kernel_image_package() {
	depends_of "$(kernel_field "$1" suite)" "$(kernel_field "$1" meta)" \
		"$(kernel_field "$1" image)" | head -n 1
}

# Debian's headers refer to /usr in two ways. The relative one (scripts, tools) is valid
# inside root/; the absolute one, in the top Makefile, is made relative here, so that the
# cache works after it is renamed.
repair_headers() {
	local headers=$1 makefile=$1/Makefile
	# shellcheck disable=SC2016 # make expands it
	sed -i 's|^include /usr/src/|include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../|
		s|^KBUILD_OUTPUT=/usr/src/.*|KBUILD_OUTPUT:=$(realpath $(dir $(lastword $(MAKEFILE_LIST))))|' \
		"$makefile"
	if grep -q -E '^include /|=/' "$makefile" || [[ ! -x $headers/scripts/basic/fixdep ]]; then
		die 3 "the headers in $headers differ from Debian's layout;" \
			"compare its Makefile and scripts with repair_headers in scripts/deps/kernel.sh"
	fi
}

# unpack_vmlinux DIR: unpacks the image, which an emulated CPU would do more slowly. The header
# of the boot protocol has the offset of the payload; QEMU boots the result if it was built
# for PVH.
unpack_vmlinux() {
	local dir=$1 sectors offset length unpack=xz
	grep -q -x CONFIG_PVH=y "$dir/config" || return 0
	if grep -q -x CONFIG_KERNEL_ZSTD=y "$dir/config"; then
		unpack=zstd
	fi
	sectors=$(od -An -t u1 -j $((0x1f1)) -N 1 "$dir/vmlinuz")
	read -r offset length < <(od -An -t u4 -j $((0x248)) -N 8 "$dir/vmlinuz")
	# The stream is followed by its size, four bytes that both tools complain about.
	tail -c +$(((sectors + 1) * 512 + offset + 1)) "$dir/vmlinuz" |
		head -c "$((length))" | "$unpack" -dcq >"$dir/vmlinux" 2>/dev/null || true
	if [[ $(head -c 4 "$dir/vmlinux") != $'\x7fELF' ]]; then
		say "vmlinuz of $dir has no $unpack stream with an ELF file: booting it compressed"
		rm -f -- "$dir/vmlinux"
	fi
}

# unpack_kernel DIR RELEASE: turns DIR/*.deb into the layout above.
unpack_kernel() {
	local dir=$1 release=$2 deb
	for deb in "$dir"/*.deb; do
		dpkg -x "$deb" "$dir/root" || die 3 "dpkg -x $deb failed (see above);" \
			"check the space left for $(cache_dir)"
		rm -- "$deb"
	done
	# Since 6.12 Debian's modules are in /usr/lib.
	[[ -e $dir/root/lib ]] || ln -s usr/lib "$dir/root/lib"
	repair_headers "$dir/root/usr/src/linux-headers-$release"
	depmod -b "$dir/root" "$release"
	# Since 7.0 the image and its configuration are beside the modules.
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
	# Debian's links point into /usr/src, where nothing was installed.
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
	# Newer images are split into several packages.
	# shellcheck disable=SC2046 # one word is one package
	apt_download "$suite" "$dir" "$image" "$headers" \
		$(depends_of "$suite" "$image" "linux-(base|binary|modules)-[0-9].*") \
		$(depends_of "$suite" "$headers" 'linux-(headers|kbuild)-.*')
	depends_of "$suite" "$headers" 'gcc-[0-9]+(-for-host)?' >"$dir/compiler"
	unpack_kernel "$dir" "$release"
	printf '%s\n' "$version" >"$dir/version"
	publish "$dir" "$(kernel_dir "$kernel")"
}

# A cached kernel is kept until the package lists offer another version of it. It is also
# kept if they offer none, for example because they were never fetched.
ensure_kernel() {
	local kernel=$1 suite image have='' want='' place
	place=$(kernel_dir "$kernel")
	suite=$(kernel_field "$kernel" suite)
	# A kernel without its configuration has an older layout.
	[[ ! -e $place/config ]] || have=$(<"$place/version")
	image=$(kernel_image_package "$kernel")
	[[ -z $image ]] || want=$(package_version "$suite" "$image")
	if [[ -n $have && ($have == "$want" || -z $want) ]]; then
		say "kernel $kernel: $(<"$place/release") ($have) is cached"
	else
		apt_update_once "$suite"
		image=$(kernel_image_package "$kernel")
		[[ -n $image ]] || die 3 "the package lists have no package of kernel $kernel" \
			"of $suite; check the network, and that $suite still has that kernel"
		fetch_kernel "$kernel" "$image" "$(package_version "$suite" "$image")"
		say "kernel $kernel: cached in $place"
	fi
	ensure_toolchain "$(kernel_field "$kernel" toolchain)" "$(<"$place/compiler")"
}
