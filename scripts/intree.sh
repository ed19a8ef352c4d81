#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the tracer to a Linux kernel source tree, or removes it again.
#
# In:  this source tree; a kernel's; DEBFULLNAME and DEBEMAIL, as for packages.
# Out: in the kernel's tree, the files of place_*(), and one line or paragraph each in
#      the files of add_lines(). Existing files are updated.
#
# The module's sources look there as if they had been written for that kernel: compat.h has been
# applied to them with the answers of the kernel's headers, and nothing refers to it any more. What
# depends on FXT_TIMEBASE is left out: it uses a header that is for timekeeping only.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

root=$(realpath -- "$here/..")
module=kernel/trace/fxt_sched
manual=Documentation/trace/fxt_sched.rst
tools=tools/tracing/fxt_sched
tests=tools/testing/selftests/fxt_sched
# The headers of include/fxt that the module does not use are beside the programs.
not_for_module=(fxt_before.h fxt_catalogue.h fxt_mark.h fxt_sched_custom.h)
mapfile -t headers < <(cd -- "$root" && printf '%s\n' include/fxt/*.h include/uapi/linux/fxt_sched.h |
	grep -v -F -f <(printf '/%s\n' "${not_for_module[@]}"))
test_folders=(lib format tools collect record session lockdown stress bench)
title="FXT SCHEDULER TRACER"

usage() {
	cat <<'END'
usage: scripts/intree.sh [--remove] KERNEL_SOURCE

Adds the module as kernel/trace/fxt_sched, with its Kconfig, headers and documentation;
the programs, which its tests use, as tools/tracing/fxt_sched; the tests as
tools/testing/selftests/fxt_sched. With --remove it removes them again. Requires unifdef.

MAINTAINERS names $DEBFULLNAME <$DEBEMAIL> (default: the placeholder
fxt-sched <fxt-sched@packages.invalid>).

exit status: 0 done; 1 a file could not be written; 2 wrong usage; 3 KERNEL_SOURCE
is not a kernel's source tree, or unifdef is not installed.
END
}

must_be_kernel() {
	local file
	for file in Kbuild MAINTAINERS Documentation/trace/index.rst include/uapi/linux \
		kernel/trace/Kconfig \
		kernel/trace/Makefile tools/testing/selftests/lib.mk \
		tools/testing/selftests/Makefile; do
		[[ -e $1/$file ]] || die 3 "$1 has no $file: it is not a kernel's source tree;" \
			"give the directory that has Kbuild and MAINTAINERS in it"
	done
}

# Removes the added lines, each with the empty line before it, if that was added.
take_out_lines() {
	sed -i -e '/^$/{$!N;/\n.*fxt_sched/d;P;D}' -e '/fxt_sched/d' \
		kernel/trace/Kconfig kernel/trace/Makefile tools/testing/selftests/Makefile \
		Documentation/trace/index.rst
	# Its paragraph, with the empty line after it.
	sed -i "/^$title\$/,/^\$/d" MAINTAINERS
}

take_out() {
	take_out_lines
	rm -rf -- "$module" "$manual" "$tools" "$tests" "${headers[@]}"
	[[ ! -d include/fxt ]] || rmdir --ignore-fail-on-non-empty include/fxt
}

maintainers() {
	cat <<END
$title
M:	${DEBFULLNAME:-fxt-sched} <${DEBEMAIL:-fxt-sched@packages.invalid}>
S:	Maintained
F:	$manual
F:	include/fxt/
F:	include/uapi/linux/fxt_sched.h
F:	$module/
F:	$tests/
F:	$tools/

END
}

# The titles of the paragraphs are roughly in alphabetical order: inserts ours after the others
# that begin with F.
add_maintainers() {
	local at
	at=$(LC_ALL=C awk -v title="$title" '
		line && /^[A-Z]:\t/ && previous ~ /^[FG]/ && previous > title { print line; exit }
		{ line = 0 }
		/^[A-Z0-9]/ && blank && behind { line = NR; previous = $0 }
		/^F[A-Z]/ && $0 < title { behind = 1 }
		{ blank = $0 == "" }' MAINTAINERS)
	[[ -n $at ]] || die 3 "MAINTAINERS: no place for $title between the paragraphs;" \
		"is it a kernel's?"
	maintainers >"$work/maintainers"
	sed -i "$((at - 1))r $work/maintainers" MAINTAINERS
}

add_lines() {
	printf '\nsource "%s/Kconfig"\n' "$module" >>kernel/trace/Kconfig
	# shellcheck disable=SC2016 # make expands it
	printf 'obj-$(CONFIG_FXT_SCHED) += fxt_sched/\n' >>kernel/trace/Makefile
	# The list of targets is in alphabetical order.
	sed -i '0,/^TARGETS += \(g\|[h-z]\)/s//TARGETS += fxt_sched\n&/' \
		tools/testing/selftests/Makefile
	# The tracers follow the frameworks.
	sed -i '/^   hwlat_detector$/s//   fxt_sched\n&/' Documentation/trace/index.rst
	add_maintainers
}

# copy FROM TO FILE...: copies, except for files that were built in FROM.
copy() {
	local from=$root/$1 to=$2
	shift 2
	mkdir -p -- "$to"
	tar -C "$from" -cf - --exclude='*.o' --exclude='*.[ad]' --exclude='*.skel.h' \
		--exclude='*.pb-c.[ch]' "$@" |
		tar -C "$to" -xf -
}

sources_in() {
	(cd -- "$root/$1" && printf '%s\n' *.[ch] | grep -v -E '\.skel\.h$|\.mod\.c$')
}

# answers: prints the FXT_HAS_* of the kernel, as options of unifdef.
answers() {
	local asked yes no
	mapfile -t asked < <(grep -o 'FXT_HAS_[A-Z_]*' "$root/kmod/compat.h" | sort -u)
	yes=$(make -s -f - srctree=. "src=$root/kmod" obj=. <<-'END'
		answers: ; @printf '%s\n' $(filter -DFXT_HAS_%,$(ccflags-y))
		include $(src)/Kbuild
	END
	)
	no=$(printf -- '-U%s\n' "${asked[@]}")
	printf '%s\n' "$no" "$yes"
}

# write_older COMPAT: of compat.h, as unifdef left it, what is not a macro.
write_older() {
	cat <<-'END'
		/* SPDX-License-Identifier: GPL-2.0-only */
		/*
		 * older.h - functions of newer kernels for this one.
		 */
		#ifndef FXT_KMOD_OLDER_H
		#define FXT_KMOD_OLDER_H

	END
	awk -v RS= -v ORS='\n\n' \
		'!/(^|\n)#define |FXT_KMOD_COMPAT_H/ && /[;{#]/' "$1"
	echo '#endif /* FXT_KMOD_OLDER_H */'
}

place_module() {
	local files file options header=
	mapfile -t files < <(sources_in kmod | grep -v -x -E 'compat\.h|timebase\.[ch]')
	copy kmod "$module" Makefile "${files[@]}"
	copy kmod "${manual%/*}" "${manual##*/}"
	mapfile -t options < <(answers)
	unifdef -x 2 "${options[@]}" "$root/kmod/compat.h" >"$work/compat.h"
	if grep -q '^{' "$work/compat.h"; then
		write_older "$work/compat.h" >"$module/older.h"
		header='#include "older.h"\n'
	fi
	for file in "${files[@]}"; do
		unifdef -x 2 "${options[@]}" -UFXT_TIMEBASE "$root/kmod/$file" |
			awk -v "header=$header" -f "$here/intree.awk" "$work/compat.h" - |
			cat -s >"$module/$file"
	done
	copy . "$module" Kconfig
	copy . . "${headers[@]}"
}

# The headers that the module uses are copied once, beside it.
place_tools() {
	local header
	copy . "$tools" .gitignore Makefile bpf scripts/install.mk \
		collector/{build.mk,trace.mk,libfxt,libsym,liboutput,libtls,libopt,libperfetto,fxt-collect,fxt,fxt-receive,fxt-open}
	sed -i '/selftests/d' "$tools/.gitignore"
	mkdir -p -- "$tools/include/uapi/linux"
	copy include/fxt "$tools/include/fxt" "${not_for_module[@]}"
	for header in "${headers[@]}"; do
		ln -s -r "$header" "$tools/${header%/*}/"
	done
}

# Copies the tests, except those of packages and of other kernels' headers.
place_tests() {
	copy selftests "$tests" --exclude='*.sh' --exclude=library_example.c \
		--exclude=html_check.js --exclude='parquet_*.js' \
		README.md .gitignore Makefile config settings vectors golden cases "${test_folders[@]}"
	copy selftests "$tests" run.sh kernel_log.sh
}

main() {
	local remove=
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--remove) remove=yes; shift ;;
	esac
	if (($# != 1)) || [[ $1 == -* ]]; then
		usage >&2
		exit 2
	fi
	must_be_kernel "$1"
	command -v unifdef >/dev/null ||
		die 3 "unifdef is not installed; install it, or run scripts/deps.sh intree"
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	cd -- "$1"
	take_out
	[[ -z $remove ]] || { say "$PWD: removed"; exit 0; }
	place_module
	place_tools
	place_tests
	add_lines
	say "$PWD: added $module, $tools and $tests; enable CONFIG_FXT_SCHED"
}

main "$@"
