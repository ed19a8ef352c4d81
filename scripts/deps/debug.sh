# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Kernels with detectors, built from the sources of a Debian kernel: debug (KASAN,
# lockdep and others) and kcsan (data races). Sourced by deps.sh after
# kernel.sh, whose kernel_field it uses.
#
# In:  the package linux-source-6.1; kernel-config/guest.config and
#      kernel-config/KERNEL.config, the settings that are not "no".
# Out: <cache>/kernels/KERNEL, in the layout of kernel.sh, but with vmlinux
#      only; its version consists of the package's version and the settings. Its headers
#      include the tool and the key that sign modules: scripts/sign-file, certs/signing_key.pem
#      and certs/signing_key.x509, a key of this build. machine is QEMU's machine type.

debug_base=6.1

debug_kernel_names() {
	echo debug kcsan
}

is_debug_kernel() {
	[[ " $(debug_kernel_names) " == *" $1 "* ]]
}

# Without comments, so that a changed comment rebuilds nothing. A setting that is "n" in a
# kernel's own file overrides guest.config.
debug_settings() {
	# shellcheck disable=SC2154 # set by deps.sh
	awk -F = '
		!/^CONFIG_/ { next }
		$2 == "n" { off[$1] = 1; next }
		{ name[++count] = $1; line[count] = $0 }
		END { for (i = 1; i <= count; i++) if (!(name[i] in off)) print line[i] }
	' "$here/deps/kernel-config/guest.config" "$here/deps/kernel-config/$1.config"
}

# debug_make TREE TARGET...: with gcc-12, as Debian builds this kernel. When QEMU boots an
# ELF file (PVH), two files run before KASAN has its shadow; the kernel excludes them from
# KASAN for other boot methods only.
debug_make() {
	local tree=$1
	shift
	nice -n 5 make -s -C "$tree" -j"$(nproc)" CC=gcc-12 HOSTCC=gcc-12 \
		KASAN_SANITIZE_{enlighten,string}.o=n {KCSAN,UBSAN}_SANITIZE_enlighten.o=n "$@"
}

# Kconfig silently drops a setting whose dependencies are missing.
configure_debug_kernel() {
	local tree=$1 settings=$2 dropped
	debug_make "$tree" KCONFIG_ALLCONFIG="$settings" allnoconfig >/dev/null ||
		die 3 "make allnoconfig failed in $tree (see above)"
	# grep finds nothing if all settings are kept.
	dropped=$({ grep -v -x -F -f "$tree/.config" "$settings" || true; } | paste -s -d ' ')
	[[ -z $dropped ]] || die 3 "Kconfig drops $dropped;" \
		"see what it depends on, and scripts/deps/kernel-config"
}

# Copies the files that make -C HEADERS M=... modules reads, and those that sign the result.
copy_debug_headers() {
	local tree=$1 headers=$2
	mkdir -p -- "$headers"
	(
		cd -- "$tree" || exit
		{
			printf '%s\n' .config Makefile Module.symvers \
				tools/objtool/objtool certs/signing_key.pem certs/signing_key.x509
			find arch/x86 -maxdepth 1 -name 'Makefile*'
			find include arch/x86/include scripts -type f ! -name '*.o' ! -name '*.cmd'
			find include arch/x86/include scripts -type l
		} | tar -c -f - -T -
	) | tar -x -f - -C "$headers"
}

# pack_debug_kernel TREE DIR: copies the build to DIR, in the layout of the cache.
pack_debug_kernel() {
	local tree=$1 dir=$2 release headers
	release=$(<"$tree/include/config/kernel.release")
	headers=usr/src/linux-headers-$release
	debug_make "$tree" INSTALL_MOD_PATH="$dir/root" modules_install >/dev/null
	copy_debug_headers "$tree" "$dir/root/$headers"
	cp -- "$tree/.config" "$dir/config"
	echo gcc-12 >"$dir/compiler"
	# The ACPI tables of "pc" describe the interrupts with a program that loops, which
	# takes minutes here; those of "q35" have a table.
	echo q35 >"$dir/machine"
	# The debug information was needed to make BTF; the section of BTF stays.
	strip --strip-debug -o "$dir/vmlinux" "$tree/vmlinux"
	ln -s "root/lib/modules/$release" "$dir/modules"
	ln -s "root/$headers" "$dir/headers"
	ln -sfn ../../../../headers "$dir/root/lib/modules/$release/build"
	rm -f -- "$dir/root/lib/modules/$release/source"
	printf '%s\n' "$release" >"$dir/release"
}

build_debug_kernel() {
	local kernel=$1 suite=$2 source=$3 version=$4 dir tree
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/$kernel
	tree=$staging/$source
	mkdir -- "$dir" "$tree"
	say "kernel $kernel: fetching $source"
	apt_download "$suite" "$staging" "$source"
	dpkg --fsys-tarfile "$staging/$source"_*.deb |
		tar -x -O -f - "./usr/src/$source.tar.xz" |
		tar -x -J -f - -C "$tree" --strip-components=1 ||
		die 3 "unpacking $source failed (see above); check the space left for $(cache_dir)"
	rm -- "$staging/$source"_*.deb
	debug_settings "$kernel" >"$staging/settings"
	configure_debug_kernel "$tree" "$staging/settings"
	say "kernel $kernel: building it, which takes a while"
	# The tool that signs modules calls functions that OpenSSL 3 deprecates.
	debug_make "$tree" vmlinux modules 2>"$staging/log" ||
		die 3 "building kernel $kernel failed: $(grep -m 1 -i error "$staging/log");" \
			"run the same in a copy of $source with its settings"
	pack_debug_kernel "$tree" "$dir"
	printf '%s\n' "$version" >"$dir/version"
	publish "$dir" "$(kernel_dir "$kernel")"
	rm -rf -- "$tree"
}

# A cached kernel is kept until the settings change or the package lists offer
# another version of the sources.
ensure_debug_kernel() {
	local kernel=$1 suite source=linux-source-$debug_base settings have='' offered place
	place=$(kernel_dir "$kernel")
	[[ ! -e $place/version ]] || have=$(<"$place/version")
	suite=$(kernel_field "$debug_base" suite)
	settings=$(debug_settings "$kernel" | sha256sum | cut -c 1-16)
	offered=$(package_version "$suite" "$source")
	if [[ -n $have && $have == "${offered:-${have% *}} $settings" ]]; then
		say "kernel $kernel: $(<"$place/release") ($have) is cached"
		return
	fi
	install_missing kernel
	apt_update_once "$suite"
	offered=$(package_version "$suite" "$source")
	[[ -n $offered ]] || die 3 "no package $source in the package lists of $suite;" \
		"check the network, and that $suite still has it"
	build_debug_kernel "$kernel" "$suite" "$source" "$offered $settings"
	say "kernel $kernel: cached in $place"
}
