#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The library as other programs use it: installed, found by pkg-config, linked as a shared or a static
# library, in C and C++, run. The programs are the examples.
#
# Out: TAP.

cd "$(dirname "$0")/../.." || exit 1
echo "TAP version 13"
if ! command -v cc >/dev/null || ! command -v pkg-config >/dev/null; then
	echo "1..1"
	echo "ok 1 # SKIP library: no compiler or no pkg-config here"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
examples=../collector/examples
lib=$dir/usr/lib
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir" LD_LIBRARY_PATH="$lib"
number=0

# result FUNCTION NAME: a test, which passes if the function succeeds and prints nothing.
result() {
	number=$((number + 1))
	if "$1" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]; then
		echo "ok $number $2"
	else
		sed 's/^/# /' "$dir/log"
		echo "not ok $number $2"
	fi
}

# build COMPILER EXAMPLE OPTION...: $dir/EXAMPLE
build() {
	compiler=$1 example=$2
	shift 2
	# shellcheck disable=SC2046 # a list of options
	"$compiler" -Wall -Werror -o "$dir/$example" "$@" $(pkg-config --cflags fxt)
}

counts_switches() {
	sum=$("$dir/count_switches" "$dir/x.fxt" | awk '{ n += $3 } END { print n }')
	told=$(../collector/fxt/fxt info --json "$dir/x.fxt" |
		sed -n 's/.*"context_switch":{"records":\([0-9]*\).*/\1/p')
	[ -n "$told" ] && [ "$sum" = "$told" ] ||
		echo "the example counted $sum switches, fxt info $told"
}

# shellcheck disable=SC2046 # lists of options
reads() {
	build cc count_switches $examples/count_switches.c $(pkg-config --libs fxt) || return
	ldd "$dir/count_switches" | grep -q "=> $lib/libfxt.so.0" || echo "not linked with libfxt.so.0"
	counts_switches
}

# shellcheck disable=SC2046 # lists of options
reads_from_static() {
	rm "$lib/libfxt.so"
	build cc count_switches $examples/count_switches.c $(pkg-config --static --libs fxt) || return
	! ldd "$dir/count_switches" | grep libfxt || echo "not linked with libfxt.a"
	counts_switches
	ln -s libfxt.so.0 "$lib/libfxt.so"
}

# shellcheck disable=SC2046 # lists of options
reads_in_cxx() {
	command -v c++ >/dev/null || return 0
	build c++ count_switches -x c++ -include fxt/fxt_writer.h $examples/count_switches.c \
		$(pkg-config --libs fxt) || return
	counts_switches
}

# shellcheck disable=SC2046 # lists of options
writes() {
	build cc write_slices $examples/write_slices.c $(pkg-config --libs fxt) || return
	"$dir/write_slices" >"$dir/slices.fxt" || return
	../collector/fxt/fxt check -q "$dir/slices.fxt" || return
	[ "$(../collector/fxt/fxt dump --type duration_complete "$dir/slices.fxt" |
		grep -c 'thread=1001 thread_name="worker" category="example" name="work"')" -eq 10 ] ||
		../collector/fxt/fxt dump "$dir/slices.fxt"
	! "$dir/write_slices" 2>/dev/null >/dev/full || echo "an error of write(2) is not returned"
}

# The shared library has the functions of the installed headers, and no others.
exports() {
	sed -n 's/^[a-z].*[ *]\(fxt_[a-z_]*\)(.*/\1/p' "$dir/usr/include/fxt/fxt_reader.h" \
		"$dir/usr/include/fxt/fxt_writer.h" >"$dir/declared"
	# Those that the headers themselves define.
	sed -n 's/^static inline .*[ *]\(fxt_[a-z_]*\)(.*/\1/p' "$dir/usr/include/fxt/fxt_reader.h" |
		grep -v -x -F -f - "$dir/declared" | sed 's/$/@@FXT_0/' | sort >"$dir/expected"
	nm -D --defined-only "$lib/libfxt.so.0" | sed -n 's/.* T //p' | sort >"$dir/exported"
	[ "$(wc -l <"$dir/expected")" -ge 50 ] || echo "the headers declare too little"
	diff "$dir/expected" "$dir/exported"
}

make -s -C .. install DESTDIR="$dir" PREFIX=/usr KDIR= >"$dir/log" 2>&1 || sed 's/^/# /' "$dir/log"
./generate sched 5000 2 >"$dir/x.fxt"
echo "1..5"
result reads "a program reads with the shared library"
result reads_from_static "a program reads with the static library"
result reads_in_cxx "a program in C++ reads"
result writes "a program writes"
result exports "the library exports what the headers declare"
