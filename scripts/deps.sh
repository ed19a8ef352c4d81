#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs the dependencies for building, booting and testing fxt-sched, and prints the paths of
# the cached parts for the Makefile.
#
# In:  a group of dependencies, and the kernel to cache; FXT_CACHE.
# Out: installed packages; <cache>/kernels/KERNEL, <cache>/kselftest/KERNEL;
#      one line on standard error for each step;
#      with --kdir or --kselftest a path on standard output.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=deps/suite.sh
. "$here/deps/suite.sh"
# shellcheck source-path=SCRIPTDIR source=deps/toolchain.sh
. "$here/deps/toolchain.sh"
# shellcheck source-path=SCRIPTDIR source=deps/kernel.sh
. "$here/deps/kernel.sh"
# shellcheck source-path=SCRIPTDIR source=deps/arm64.sh
. "$here/deps/arm64.sh"
# shellcheck source-path=SCRIPTDIR source=deps/debug.sh
. "$here/deps/debug.sh"
# shellcheck source-path=SCRIPTDIR source=deps/kselftest.sh
. "$here/deps/kselftest.sh"
# shellcheck source-path=SCRIPTDIR source=deps/bench.sh
. "$here/deps/bench.sh"
# shellcheck source-path=SCRIPTDIR source=deps/npm.sh
. "$here/deps/npm.sh"
# shellcheck source-path=SCRIPTDIR source=deps/html.sh
. "$here/deps/html.sh"
# shellcheck source-path=SCRIPTDIR source=deps/parquet.sh
. "$here/deps/parquet.sh"
# shellcheck source-path=SCRIPTDIR source=deps/firefox.sh
. "$here/deps/firefox.sh"
# shellcheck source-path=SCRIPTDIR source=deps/fleet.sh
. "$here/deps/fleet.sh"

default_kernel=6.1

usage() {
	cat <<'END'
usage: scripts/deps.sh [GROUP] [KERNEL]
       scripts/deps.sh --kdir [KERNEL]
       scripts/deps.sh --kselftest

  build        compilers, libraries and tools for the module, BPF and fxt
  vm           QEMU, and a Debian kernel with its headers in the cache
  test         programs that the tests run, and the kernel's selftest harness
  html         a browser and its driver, for the test of fxt report --html
  parquet      DuckDB and other readers, for the test of fxt convert --to parquet
  firefox      the reader of profiler.firefox.com, for the test of fxt convert --to firefox
  fleet        ClickHouse, DuckDB and rclone, for make fleet-test
  package      tools that build and check packages
  intree       tools that build a kernel in its own tree
  bench        the other tracers of the benchmarks
  all          build, vm and test (the default)
  --kdir       print the cached kernel's build directory
  --kselftest  print the cached tools/testing/selftests

KERNEL is 5.10, 6.1 (default), 6.12, 7.2, rt, or arm64, which is Debian's 6.1 for that
architecture with its compilers and libraries. vm also accepts debug and kcsan, kernels
with detectors, which are built from sources; that takes half an hour. The cache is
$FXT_CACHE, else $XDG_CACHE_HOME/fxt-sched, else ~/.cache/fxt-sched.

exit status: 0 done; 1 --kdir or --kselftest found nothing (silently);
2 wrong usage; 3 a package could not be installed, or the cache could not be written.
END
}

# The module's kernel headers come prebuilt: linking an external module does not need the
# tools that build a kernel (flex, bison, openssl). deps/debug.sh and check/intree.sh
# build kernels and need the group kernel.
packages_of() {
	case $1 in
	build)
		echo build-essential gcc-12 make clang llvm bpftool libbpf-dev \
			libelf-dev libdw-dev libiberty-dev zlib1g-dev libzstd-dev libisal-dev \
			liblzma-dev libbz2-dev libsqlite3-dev libjson-c-dev libcap-dev \
			libseccomp-dev libprotobuf-c-dev protobuf-c-compiler libmicrohttpd-dev \
			libgnutls28-dev libtraceevent-dev libtracefs-dev libtracecmd-dev pkg-config kmod bc
		;;
	vm)
		# mmdebstrap creates the roots with the compilers of other releases.
		echo qemu-system-x86 busybox-static cpio kmod xz-utils zstd mmdebstrap
		;;
	test)
		# The selftests' runner and lib.mk call perl and rsync; the fuzzers
		# need clang's runtime; a test compares fxt report with perf.
		echo procps perl rsync xz-utils bzip2 gzip zstd libclang-rt-dev \
			mandoc bash-completion zsh fish linux-perf reuse \
			python3-jsonschema python3-numpy jq sqlite3
		;;
	arm64)
		echo qemu-system-arm gcc-12-aarch64-linux-gnu gcc-aarch64-linux-gnu rsync
		;;
	kernel)
		echo bc bison flex gcc-12 libc6-dev libelf-dev libssl-dev make pahole xz-utils
		;;
	html)
		echo chromium-headless-shell firefox-esr
		;;
	fleet)
		echo clickhouse-client clickhouse-common rclone
		;;
	package)
		echo debhelper dh-dkms dh-python dkms dpkg-dev lintian systemd systemd-container
		;;
	bench)
		# rt-tests has hackbench, apache2-utils has ab.
		echo linux-perf trace-cmd lttng-tools rt-tests nginx-light apache2-utils
		;;
	intree)
		echo "$(packages_of kernel) perl python3-sphinx rsync sparse unifdef"
		;;
	esac
}

is_installed() {
	[[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# install_packages GROUP [PACKAGE...]: installs these missing packages.
install_packages() {
	local group=$1
	shift
	if (($# == 0)); then
		say "$group: all packages are installed"
		return
	fi
	can_be_root || die 3 "cannot install $*:" \
		"not root and no sudo; run scripts/deps.sh $group as root"
	apt_update_once
	say "$group: installing $*"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
		--no-install-recommends install "$@" >/dev/null ||
		die 3 "apt-get install $* failed (see above);" \
			"run it by hand, then scripts/deps.sh $group again"
}

install_missing() {
	local group=$1 missing=() package
	for package in $(packages_of "$group"); do
		is_installed "$package" || missing+=("$package")
	done
	install_packages "$group" "${missing[@]}"
}

staging=

# Only one run at a time changes the cache. Removes the leftovers of interrupted runs.
open_cache() {
	local cache
	cache=$(cache_dir)
	mkdir -p -- "$cache/kernels" "$cache/kselftest" "$cache/toolchains" ||
		die 3 "cannot create the cache in $cache; set FXT_CACHE to a writable directory"
	exec {lock}>"$cache/lock"
	flock "$lock"
	rm -rf -- "$cache"/staging.*
	staging=$(mktemp -d "$cache/staging.XXXXXX")
	trap 'rm -rf -- "$staging"' EXIT
}

# publish NEW PLACE: renames the finished directory NEW to PLACE, replacing it.
publish() {
	if [[ -e $2 ]]; then
		mv -T -- "$2" "$staging/old"
	fi
	mv -T -- "$1" "$2"
}

ensure_group() {
	local group=$1 kernel=$2
	install_missing "$group"
	case $group in
	vm)
		if [[ $kernel == arm64 ]]; then
			install_missing arm64
			ensure_arm64
		elif is_debug_kernel "$kernel"; then
			ensure_debug_kernel "$kernel"
		else
			ensure_kernel "$kernel"
		fi
		;;
	test)
		ensure_kselftest "$default_kernel"
		;;
	bench)
		ensure_kernel "$default_kernel"
		ensure_lttng "$default_kernel"
		ensure_perfetto
		;;
	html)
		ensure_html
		;;
	parquet)
		ensure_parquet
		;;
	firefox)
		ensure_firefox
		;;
	fleet)
		ensure_fleet
		;;
	esac
}

print_if_dir() {
	[[ -d $1 ]] || exit 1
	printf '%s\n' "$1"
}

main() {
	local what=${1:-all} kernel=${2:-$default_kernel} group
	(($# <= 2)) || { usage >&2; exit 2; }
	case $what in
	-h | --help) usage ;;
	--kdir) print_if_dir "$(kernel_dir "$kernel")/headers" ;;
	--kselftest) print_if_dir "$(kselftest_dir "$default_kernel")" ;;
	build | vm | test | html | parquet | firefox | fleet | package | intree | bench | all)
		[[ $kernel == arm64 ]] || is_debug_kernel "$kernel" ||
			kernel_field "$kernel" name >/dev/null ||
			die 2 "unknown kernel '$kernel';" \
				"known: $(kernel_names) arm64 $(debug_kernel_names)"
		open_cache
		[[ $what != all ]] || what="build vm test"
		for group in $what; do
			ensure_group "$group" "$kernel"
		done
		;;
	*)
		usage >&2
		exit 2
		;;
	esac
}

main "$@"
