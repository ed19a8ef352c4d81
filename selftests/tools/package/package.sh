#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The files that come with the programs: manuals, completions, make install and uninstall.
# All of them must match the options of the programs.
#
# In:  the programs as they are built; FXT_COLLECT.
# Out: TAP.

cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
collect=${FXT_COLLECT:-../collector/fxt-collect/fxt-collect}
fxt=../collector/fxt/fxt
completions=../collector/completion
number=0

# result STATUS NAME: one line of TAP, after the log if the test failed.
result() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number $2"
	else
		sed 's/^/# /' "$dir/log"
		echo "not ok $number $2"
	fi
}

skip() {
	number=$((number + 1))
	echo "ok $number # SKIP $1: $2"
}

manuals_are_clean() {
	mandoc -T lint -W warning ../collector/man/*.1 ../kmod/fxt_sched.4
}

# Print a manual as text, with neither hyphenation nor overstrikes.
manual() {
	mandoc -T ascii -O width=500 "$1" | sed 's/.\x08//g'
}

manuals_fit() {
	[ "$("$fxt" --print-options | wc -l)" -ge 50 ] || echo "fxt prints no options"
	../scripts/options.sh --check
}

# The header is the documentation: it says something on each request and on each field.
interface_is_documented() {
	header=../include/uapi/linux/fxt_sched.h
	sed -n 's/^#define \(FXT_SCHED_IOC_[A-Z]*\).*/\1/p' "$header" >"$dir/words"
	[ "$(wc -l <"$dir/words")" -ge 10 ] || echo "the header has no requests"
	while read -r word; do
		grep -q "^ \*   $word  *[A-Z]" "$header" || echo "no comment on $word"
	done <"$dir/words"
	sed -n 's/^\t\(__[us][0-9]*\|char\|struct [a-z_]*\) \([a-z_]*\).*;$/\2/p' "$header" >"$dir/words"
	[ "$(wc -l <"$dir/words")" -ge 40 ] || echo "the header has no fields"
	while read -r word; do
		grep -q "^ \* @$word:" "$header" || echo "no comment on the field $word"
	done <"$dir/words"
	grep -q 'In linux/fxt_sched.h ,$' ../kmod/fxt_sched.4 || echo "fxt_sched.4 does not refer to it"
}

# groups: the groups of events, one a line.
groups() {
	"$collect" --events help | sed -n 's/^\([a-z]*\) .*/\1/p' | grep -v -x sched
}

# Each group has a line in the manual.
groups_are_known() {
	sed -n '/^\.Ss Groups of events/,/^\.Ss Tracepoints/p' ../collector/man/fxt-collect.1 >"$dir/manual"
	for group in $(groups); do
		case $group in
		all | none) ;;
		*) grep -q -x -e "\.It $group" "$dir/manual" || echo "the manual has no group $group" ;;
		esac
	done
}

# The completions call the programs by their names.
PATH=$(realpath ../collector/fxt):$(realpath "${collect%/*}"):$PATH

# answers EXPECTED LINE WORD...: does bash offer EXPECTED for the last word of the line?
answers_line() {
	expected=$1 line=$2
	shift 2
	bash -c '. /usr/share/bash-completion/bash_completion
		. "$1/fxt" && . "$1/fxt-collect" || exit
		COMP_LINE=$2
		shift 2
		compopt() { :; }
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_POINT=${#COMP_LINE}
		set -- $(complete -p "$1")
		"$3" "${COMP_WORDS[0]}" "${COMP_WORDS[-1]}"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$completions" "$line" "$@" >"$dir/answer" 2>&1
	grep -q -x -F -e "$expected" "$dir/answer" || {
		echo "bash does not offer $expected for: $line"
		cat "$dir/answer"
	}
}

# answers EXPECTED WORD...: the same, for a line with a blank between words.
answers() {
	expected=$1
	shift
	answers_line "$expected" "$*" "$@"
}

bash_answers() {
	touch "$dir/a.fxt.zst"
	answers --source fxt-collect --so
	answers kmod fxt-collect --source k
	answers tsc fxt-collect -c t
	answers zstd fxt-collect -z ''
	answers --directory fxt-collect -d 1 -- ls --di
	answers convert fxt co
	answers sqlite fxt convert --to sq
	answers event,context_switch fxt dump --type event,context_
	answers --with-ftrace fxt convert --w
	answers syscall fxt-collect -e sy
	answers irq,throttle fxt-collect --events irq,th
	answers "'runnable>" fxt-collect --trigger ru
	answers "irq>" fxt-collect --trigger "'i"
	answers "$dir/a.fxt.zst" fxt info "$dir/a"
	# bash splits words at "=" and ":".
	answers_line sqlite 'fxt convert --to=sq' fxt convert --to = sq
	answers_line "$dir/a.fxt.zst" "fxt-collect --output=$dir/a" fxt-collect --output = "$dir/a"
	answers_line // 'fxt receive -l tcp:' fxt receive -l tcp :
}

# The completions offer the tracepoints of this kernel, which only root sees.
tracepoints_are_offered() {
	# bash replaces only what follows the colon.
	answers sched_switch fxt-collect -e tp:sched_sw
	answers sched_switch fxt-collect -e irq,tp:sched_sw
	! command -v fish >/dev/null || offers tp:sched_switch 'fxt-collect -e tp:sched_sw'
}

# gives EXPECTED WORD...: does zsh's completion of the last word add EXPECTED? The functions of zsh
# that it calls print what they get.
gives() {
	expected=$1
	shift
	zsh -f -c 'completions=$1; shift
		compset() { PREFIX=${PREFIX#--*=} }
		_describe() { print -l -- "${(@P)2}" }
		_files() { print -l -- $PREFIX* }
		_normal() { print normal $CURRENT $words }
		words=("$@") CURRENT=$#words PREFIX=$words[-1]
		run() { source $completions/_$words[1] }
		run' zsh "$completions" "$@" >"$dir/answer" 2>&1
	sed 's/:.*//' "$dir/answer" | grep -q -x -F -e "$expected" || {
		echo "zsh is not given $expected for: $*"
		cat "$dir/answer"
	}
}

zsh_answers() {
	touch "$dir/a.fxt.zst"
	gives sqlite fxt convert --to sq
	gives --to=sqlite fxt convert --to=sq
	gives "$dir/a.fxt.zst" fxt info "$dir/a"
	gives receive fxt re
	gives --events=irq,throttle fxt-collect --events=irq,th
	gives 'runnable>' fxt-collect --trigger run
	gives "$dir/a.fxt.zst" fxt-collect "--output=$dir/a"
	gives 'normal 2 ls --d' fxt-collect -d 1 -- ls --d
}

# offers EXPECTED LINE: does fish offer EXPECTED at the end of the line?
offers() {
	fish --no-config -c 'for file in $argv[1]/*.fish; source $file; end
		complete -C $argv[2]' "$completions" "$2" >"$dir/answer" 2>&1
	cut -f 1 "$dir/answer" | grep -q -x -F -e "$1" || {
		echo "fish does not offer $1 for: $2"
		cat "$dir/answer"
	}
}

fish_answers() {
	touch "$dir/a.fxt.zst"
	offers "$dir/a.fxt.zst" "fxt info $dir/a"
	offers "--html=$dir/a.fxt.zst" "fxt report --html=$dir/a"
	offers --to=sqlite 'fxt convert --to=sq'
	offers "$dir/a.fxt.zst" "fxt-collect -d 1 -- ls $dir/a"
	offers --source 'fxt-collect --so'
	offers kmod 'fxt-collect --source k'
	offers tsc 'fxt-collect -c t'
	offers zstd 'fxt-collect -z '
	offers convert 'fxt co'
	offers check 'fxt help ch'
	offers sqlite 'fxt convert --to sq'
	offers event,context_switch 'fxt dump --type event,context_'
	offers --with-ftrace 'fxt convert --w'
	offers irq,throttle 'fxt-collect -e irq,t'
	offers 'runnable>' 'fxt-collect --trigger r'
	offers --no-pager 'fxt report --no'
}

list() {
	(cd "$dir/root" && find . ! -type d | sort)
}

installs() {
	make -s -C .. "$1" DESTDIR="$dir/root" PREFIX=/usr KDIR=
}

# Only the foreign file in each folder must stay.
install_and_uninstall() {
	mkdir "$dir/root"
	installs install >"$dir/said" || return
	(cd "$dir/root" && find . -type d -exec touch {}/other \;)
	list >"$dir/installed"
	for file in usr/bin/fxt-collect usr/bin/fxt usr/bin/fxt-receive usr/bin/fxt-open usr/lib/libfxt.a usr/lib/libfxt.so.0 \
		usr/lib/libfxt.so usr/lib/pkgconfig/fxt.pc usr/lib/python3/dist-packages/fxt.py \
		usr/include/fxt/fxt_reader.h usr/include/linux/fxt_sched.h usr/share/man/man1/fxt.1 \
		usr/share/man/man1/fxt-collect.1 usr/share/man/man1/fxt-report.1 \
		usr/share/man/man4/fxt_sched.4 \
		usr/share/bash-completion/completions/fxt-collect \
		usr/share/zsh/site-functions/_fxt-collect \
		usr/share/fish/vendor_completions.d/fxt.fish \
		usr/lib/systemd/system/fxt-flight-recorder.service \
		usr/lib/systemd/system/fxt-ship.service usr/lib/systemd/system/fxt-ship.timer \
		usr/lib/udev/rules.d/70-fxt-sched.rules usr/lib/fxt-sched/ship.sh; do
		grep -q -x "./$file" "$dir/installed" || echo "$file is not installed"
	done
	grep -q '/usr/bin/fxt-collect ' "$dir/root/usr/lib/systemd/system/"*.service ||
		echo "the unit does not start /usr/bin/fxt-collect"
	"$dir/root/usr/bin/fxt" receive --help | grep -q '^usage: fxt receive' ||
		echo "the fxt that is installed does not find fxt-receive"
	installs uninstall 2>/dev/null || return
	list | grep -v '/other$' | sed 's/^/uninstall left /'
	[ "$(list | grep -c '/other$')" -eq "$(grep -c '/other$' "$dir/installed")" ] ||
		echo "uninstall took what was not its own"
}

# module KERNEL: a file that modinfo takes for the module of that kernel.
module() {
	echo "__attribute__((section(\".modinfo\"))) char text[] = \"vermagic=$1 SMP \";" |
		cc -x c -c -o "$dir/fxt_sched.ko" -
}

# with_module TARGET ARGUMENT...: make it below $dir without DESTDIR; a message stands for depmod.
with_module() {
	make -s -C .. PREFIX="$dir/there/usr" MODLIB="$dir/there/modules" \
		DEPMOD="echo depmod" module="$dir/fxt_sched.ko" "$@"
}

# is_at PLACE KERNEL: complains unless the module is installed there.
is_at() {
	[ -e "$1/$2/updates/fxt_sched.ko" ] || echo "no module for $2 in $1"
}

# The module is only installed for the running kernel, unless another is asked for.
installs_modules() {
	running=$(uname -r) modules=$dir/there/modules
	module 1.2.3-other
	with_module install >"$dir/said" || return
	[ ! -e "$modules" ] || echo "a module of another kernel is installed"
	grep -q "not installed: .* is for Linux 1.2.3-other, and this is $running" "$dir/said" ||
		echo "no word about the other kernel"
	! grep -q ^depmod "$dir/said" || echo "depmod runs for nothing"
	with_module install KDIR="$dir" >"$dir/said" || return
	is_at "$modules" 1.2.3-other
	grep -q -x "depmod 1.2.3-other" "$dir/said" || echo "no depmod for the other kernel"
	with_module uninstall >"$dir/said" || return
	grep -q -x "depmod 1.2.3-other" "$dir/said" || echo "no depmod after uninstall"
	module "$running"
	with_module install >"$dir/said" || return
	is_at "$modules" "$running"
	grep -q -x "depmod $running" "$dir/said" || echo "no depmod for the running kernel"
	grep -q "installed the module for Linux $running" "$dir/said" || echo "no word about it"
	with_module uninstall >"$dir/said" || return
	[ -z "$(find "$modules" -name '*.ko')" ] || echo "uninstall leaves the module"
	module 1.2.3-other
	with_module install DESTDIR="$dir/staged" >"$dir/said" || return
	is_at "$dir/staged$modules" 1.2.3-other
	! grep -q ^depmod "$dir/said" || echo "depmod runs with DESTDIR"
}

versions_agree() {
	make=$(sed -n 's/^VERSION := //p' ../Makefile)
	dkms=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' ../dkms.conf)
	[ "$make" = "$dkms" ] || echo "dkms.conf has version $dkms, the Makefile $make"
}

# DKMS skips kernels without what dkms.conf requires, which is what Kconfig needs on all of them.
configs_agree() {
	kconfig=$(sed -n 's/^	\(select\|depends on\) \([A-Z_]*\)$/CONFIG_\2/p' ../Kconfig | paste -s -d ' ')
	dkms=$(sed -n 's/^BUILD_EXCLUSIVE_CONFIG="\(.*\)"/\1/p' ../dkms.conf)
	[ "$kconfig" = "$dkms" ] || echo "dkms.conf requires $dkms, Kconfig needs $kconfig"
}

# quiet FUNCTION NAME: a test, which passes if the function succeeds and prints nothing.
quiet() {
	"$1" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
	result $? "$2"
}

# needs PROGRAM FUNCTION NAME: the same, but skipped if the program is not installed.
needs() {
	if command -v "$1" >/dev/null || [ -e "$1" ]; then
		quiet "$2" "$3"
	else
		skip "$3" "no $1 here"
	fi
}

echo "TAP version 13"
echo "1..12"
needs mandoc manuals_are_clean "manuals are clean"
quiet manuals_fit "the manuals have the options that the programs have"
needs mandoc interface_is_documented "the header documents each request and field, and the manual refers to it"
needs /usr/share/bash-completion/bash_completion bash_answers "bash completes"
quiet groups_are_known "the manual has the groups of events"
needs /sys/kernel/tracing/available_events tracepoints_are_offered "tracepoints are completed"
needs fish fish_answers "fish completes"
needs zsh zsh_answers "zsh completes"
needs make install_and_uninstall "uninstall takes what install put"
needs modinfo installs_modules "the module is installed for the kernel that it fits"
quiet versions_agree "the versions agree"
quiet configs_agree "dkms.conf requires what Kconfig needs"
