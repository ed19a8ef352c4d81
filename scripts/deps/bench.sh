# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Fetches the tracers for the benchmarks that cannot be installed as packages of this Debian.
# Sourced by deps.sh after kernel.sh.
#
# In:  Debian's packages perfetto (of sid) and lttng-modules-dkms.
# Out: <cache>/perfetto/
#        bin/      traced, traced_probes and perfetto, ready to run
#        root/     the package's files and its libraries
#        version   the version of the Debian package
#      <cache>/lttng/KERNEL/
#        modules/  a folder of kernel modules with its modules.dep, as modprobe reads it
#        version   the versions of LTTng's and of the kernel's packages

perfetto_dir() {
	printf '%s/perfetto\n' "$(cache_dir)"
}

# Perfetto needs a newer C library than that of Debian 12.
perfetto_packages=(perfetto libc6 libstdc++6 libgcc-s1 zlib1g)

# perfetto_wrapper: a script that starts a program with its own loader and libraries.
perfetto_wrapper() {
	cat <<'END_OF_WRAPPER'
#!/bin/sh
here=$(dirname -- "$(realpath -- "$0")")
root=$here/../root
name=$(basename -- "$0")
for loader in "$root"/usr/lib*/ld-linux-*.so.* "$root"/usr/lib/*/ld-linux-*.so.*; do
	[ -x "$loader" ] && break
done
for program in "$root/usr/bin/$name" "$root/usr/sbin/$name"; do
	[ -x "$program" ] && break
done
for libraries in "$root"/usr/lib/*-linux-gnu; do :; done
exec "$loader" --library-path "$libraries:$root/usr/lib/perfetto" "$program" "$@"
END_OF_WRAPPER
}

ensure_perfetto() {
	local place dir deb name version
	place=$(perfetto_dir)
	if [[ -d $place ]]; then
		say "perfetto: $(<"$place/version") is cached"
		return
	fi
	apt_update_once sid
	version=$(package_version sid perfetto)
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/perfetto
	mkdir -p -- "$dir/bin" "$dir/root" "$staging/perfetto-debs"
	say "perfetto: fetching $version"
	apt_download sid "$staging/perfetto-debs" "${perfetto_packages[@]}"
	for deb in "$staging"/perfetto-debs/*.deb; do
		dpkg -x "$deb" "$dir/root" || die 3 "dpkg -x $deb failed (see above);" \
			"check the space left for $(cache_dir)"
	done
	for name in traced traced_probes perfetto; do
		perfetto_wrapper >"$dir/bin/$name"
		chmod 755 -- "$dir/bin/$name"
	done
	"$dir/bin/perfetto" --version >/dev/null ||
		die 3 "perfetto $version does not run with the libraries of sid (see above);" \
			"compare its dependencies with perfetto_packages in scripts/deps/bench.sh"
	printf '%s\n' "$version" >"$dir/version"
	publish "$dir" "$place"
	say "perfetto: cached in $place"
}

lttng_dir() {
	printf '%s/lttng/%s\n' "$(cache_dir)" "$1"
}

# Builds only the scheduler's probes: others do not build with this kernel's updates.
lttng_probes() {
	cat <<'END_OF_KBUILD'
TOP_LTTNG_MODULES_DIR := $(shell dirname $(lastword $(MAKEFILE_LIST)))/../..
include $(TOP_LTTNG_MODULES_DIR)/src/Kbuild.common
ccflags-y += -I$(TOP_LTTNG_MODULES_DIR)/include
obj-$(CONFIG_LTTNG) += lttng-probe-sched.o
obj-$(CONFIG_LTTNG) += lttng-kprobes.o lttng-kretprobes.o lttng-uprobes.o
END_OF_KBUILD
}

# build_lttng KERNEL SOURCES DIR: into DIR/modules.
build_lttng() {
	local kernel=$1 sources=$2 dir=$3 release modules
	release=$(<"$(kernel_dir "$kernel")/release")
	modules=$dir/root/lib/modules/$release
	lttng_probes >"$sources/src/probes/Kbuild"
	sed -i '/tests\/$/d' "$sources/src/Kbuild"
	nice -n 5 make -s -j"$(nproc)" CC="$(command -v gcc-12 || echo gcc)" \
		-C "$(realpath -- "$(kernel_dir "$kernel")/headers")" M="$sources" \
		CONFIG_LTTNG=m modules >"$dir/log" 2>&1 || return
	mkdir -p -- "$modules/extra"
	find "$sources" -name '*.ko' -exec cp -- {} "$modules/extra" \;
	cp -- "$(kernel_dir "$kernel")"/modules/modules.{builtin,builtin.modinfo,order} "$modules"
	depmod -b "$dir/root" "$release"
	mv -- "$modules" "$dir/modules"
	rm -r -- "${dir:?}/root" "$dir/log"
}

# If LTTng does not build, the benchmarks omit it.
ensure_lttng() {
	local kernel=$1 place dir version suite
	place=$(lttng_dir "$kernel")
	suite=$(kernel_field "$kernel" suite)
	version="$(package_version "$suite" lttng-modules-dkms), $(<"$(kernel_dir "$kernel")/version")"
	if [[ -e $place/version && $(<"$place/version") == "$version" ]]; then
		say "LTTng for kernel $kernel: $version is cached"
		return
	fi
	apt_update_once "$suite"
	dir=$staging/lttng
	mkdir -p -- "$dir" "$staging/lttng-deb"
	apt_download "$suite" "$staging/lttng-deb" lttng-modules-dkms
	dpkg -x "$staging"/lttng-deb/*.deb "$staging/lttng-deb/root"
	say "LTTng for kernel $kernel: building $version"
	if ! build_lttng "$kernel" "$(echo "$staging"/lttng-deb/root/usr/src/lttng-modules-*)" "$dir"; then
		tail -n 5 -- "$dir/log" >&2
		say "LTTng does not build for kernel $kernel (see above): benchmarks omit it"
		return
	fi
	printf '%s\n' "$version" >"$dir/version"
	mkdir -p -- "$(dirname -- "$place")"
	publish "$dir" "$place"
	say "LTTng for kernel $kernel: cached in $place"
}
