# SPDX-License-Identifier: GPL-2.0-or-later
#
# fxt-sched. `make help` lists the targets.
#
# The collector and the tool are built in collector/, the BPF program in bpf/,
# the module in kmod/ by the kernel's own Kbuild against KDIR.

VERSION := 0.1.0

PREFIX ?= /usr/local
DESTDIR ?=
# As kernel builds have them; KDIR's build wants ARCH as well. A CC or AR that was
# given counts; make itself brings others, or none below a kernel's.
CROSS_COMPILE ?=
ifneq ($(filter default undefined,$(origin CC)),)
CC := $(CROSS_COMPILE)gcc
endif
ifneq ($(filter default undefined,$(origin AR)),)
AR := $(CROSS_COMPILE)ar
endif
# Where headers and libraries of the machine are that is built for.
SYSROOT ?=
CLANG ?= clang
PROTOC_C ?= protoc-c
BPFTOOL ?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)
CFLAGS ?= -O3 -g
FUZZ_SECONDS ?= 1800
# Those for root come last.
benchmarks := instructions archive collector host loss
BENCH ?= $(benchmarks)

# The running kernel's headers, else those that scripts/deps.sh fetched. In a
# kernel's tree (scripts/intree.sh) the module is elsewhere.
kmod := $(wildcard kmod/Kbuild)
KDIR ?= $(if $(kmod),$(or $(wildcard /lib/modules/$(shell uname -r)/build),\
			  $(shell scripts/deps.sh --kdir)))

sysroot := $(if $(SYSROOT),--sysroot=$(SYSROOT))
all_cflags := -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE \
	      -DFXT_VERSION='"$(VERSION)"' -MMD -MP \
	      $(sysroot) -I. -Iinclude -Iinclude/uapi $(CFLAGS)
all_ldflags := $(sysroot) $(LDFLAGS)

lib := collector/libfxt.a
lib_objs := $(patsubst %.c,%.o,$(wildcard collector/lib/*.c))
collect := collector/fxt-collect
# What these become is no source.
pb := collector/collect/host.pb-c.c collector/collect/lives.pb-c.c
collect_objs := $(patsubst %.c,%.o,$(filter-out $(pb),$(wildcard collector/collect/*.c)) \
		$(pb))
tool := collector/fxt
tool_objs := $(patsubst %.c,%.o,$(wildcard collector/tool/*.c))
# All of fxt but its main(), for the tests that look inside.
tool_lib := collector/tool.a
bpf_obj := bpf/fxt_sched.bpf.o
bpf_skel := bpf/fxt_sched.skel.h

all: collector bpf $(if $(kmod),$(if $(KDIR),modules,no-modules))

help:
	@echo 'make               all that this machine can build'
	@echo 'make collector     fxt-collect and fxt'
	@echo 'make bpf           the BPF program'
	@echo 'make modules       fxt_sched.ko, against KDIR=$(KDIR)'
	@echo 'make selftests     the tests, not run'
	@echo 'make check         all tests (scripts/check.sh)'
	@echo 'make fuzz          the fuzzers, FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo 'make bench         the benchmarks; BENCH= some of $(benchmarks)'
	@echo 'make install       into DESTDIR= and PREFIX=$(PREFIX); uninstall: out of there'
	@echo 'make clean'

collector: $(collect) $(tool)

bpf: $(bpf_skel)

no-modules:
	@echo 'fxt_sched.ko is not built: no kernel headers; scripts/deps.sh vm fetches some, or give KDIR='

modules:
	$(if $(KDIR),,$(error no kernel headers: scripts/deps.sh vm fetches some, or give KDIR=))
	$(MAKE) -C $(KDIR) M=$(CURDIR)/kmod KCFLAGS=-Werror modules

$(lib): $(lib_objs)
	rm -f $@
	$(AR) rcs $@ $^

# What reads gzip and zstd.
lib_libs := -lz -lzstd

$(collect): $(collect_objs) $(lib)
	$(CC) $(all_ldflags) -o $@ $^ -lbpf -lelf $(lib_libs) -ljson-c -lcap \
		-lseccomp -lprotobuf-c -lpthread

$(tool_lib): $(filter-out %/main.o,$(tool_objs))
	rm -f $@
	$(AR) rcs $@ $^

$(tool): $(tool_objs) $(lib)
	$(CC) $(all_ldflags) -o $@ $^ $(lib_libs) -lsqlite3 -ljson-c -lmicrohttpd -lm

collector/%.o: collector/%.c Makefile
	$(CC) $(all_cflags) -c -o $@ $<

# What its assembler reads no compiler tells.
collector/tool/html_parts.o: $(wildcard collector/tool/html/*)

%.pb-c.c: %.proto
	$(PROTOC_C) --c_out=. $<

collector/collect/host.o collector/collect/lives.o: $(pb)

# Only these see the program's skeleton.
collector/collect/source_bpf.o collector/collect/source_bpf_load.o: all_cflags += -Ibpf
collector/collect/source_bpf.o collector/collect/source_bpf_load.o: $(bpf_skel)

multiarch := $(shell $(CC) -print-multiarch 2>/dev/null)
# As libbpf's headers name it; ring.bpf.h chooses its barrier by it. The atomic
# exchange that the weakly ordered ones need came with v3.
bpf_arch := $(or $(and $(filter x86_64-%,$(multiarch)),x86),\
		 $(and $(filter s390x-%,$(multiarch)),s390),\
		 $(firstword $(subst -, ,$(multiarch))))
bpf_cpu := $(if $(filter x86 s390,$(bpf_arch)),v2,v3)

$(bpf_obj): bpf/fxt_sched.bpf.c Makefile
	$(CLANG) -target bpf -mcpu=$(bpf_cpu) -D__TARGET_ARCH_$(bpf_arch) \
		-O2 -g -Wall -Wextra -Wno-unused-parameter -Werror \
		-MMD -MP -I. -Iinclude \
		$(if $(multiarch),-idirafter $(SYSROOT)/usr/include/$(multiarch)) -c -o $@ $<

$(bpf_skel): $(bpf_obj)
	$(BPFTOOL) gen skeleton $< name fxt_sched_bpf > $@.tmp
	mv $@.tmp $@

selftests: collector bpf
	$(MAKE) -C selftests

check:
	scripts/check.sh

fuzz: selftests
	scripts/fuzz.sh --jobs $(shell nproc) $(FUZZ_SECONDS)

bench: selftests
	$(foreach i,$(BENCH),scripts/bench-$(i).sh &&) scripts/bench-table.sh

pc := collector/fxt.pc
unit := collector/systemd/fxt-flight-recorder.service

# They name PREFIX, which may be another one than last time.
$(pc): collector/lib/fxt.pc.in FORCE
$(unit): $(unit).in FORCE
$(pc) $(unit):
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(lib_libs)|' $< > $@

# What install puts where and uninstall takes away: MODE:FILE:FOLDER below PREFIX.
# Programs of others include <fxt/fxt_reader.h> and <fxt/fxt_writer.h>.
installed := $(patsubst %,755:%:bin,$(collect) $(tool)) \
	644:$(lib):lib 644:$(pc):lib/pkgconfig \
	$(patsubst %,644:%:include/fxt,include/fxt/fxt.h include/fxt/fxt_sched.h \
		include/fxt/fxt_unknown.h include/fxt/fxt_waker.h collector/lib/fxt_reader.h \
		collector/lib/fxt_writer.h collector/lib/fxt_strings.h) \
	$(patsubst %,644:%:share/man/man1,$(wildcard collector/man/*.1)) \
	$(patsubst %,644:%:share/man/man4,$(wildcard kmod/*.4)) \
	$(patsubst %,644:collector/completion/%:share/bash-completion/completions,fxt fxt-collect) \
	$(patsubst %,644:collector/completion/%:share/zsh/site-functions,_fxt _fxt-collect) \
	$(patsubst %,644:collector/completion/%:share/fish/vendor_completions.d,fxt.fish \
		fxt-collect.fish) \
	644:$(unit):lib/systemd/system

installed_field = $(word $(1),$(subst :, ,$(2)))
installed_as = $(DESTDIR)$(PREFIX)/$(call installed_field,3,$(1))/$(notdir $(call installed_field,2,$(1)))
# The second line ends each command.
define install_one
install -D -m $(call installed_field,1,$(1)) $(call installed_field,2,$(1)) $(call installed_as,$(1))

endef

# Where depmod and modprobe look for modules that are not the kernel's own.
installed_module = $(if $(wildcard kmod/fxt_sched.ko),$(DESTDIR)/lib/modules/$(firstword \
	$(shell modinfo -F vermagic kmod/fxt_sched.ko))/updates/fxt_sched.ko)

install: collector $(pc) $(unit)
	$(foreach i,$(installed),$(call install_one,$(i)))
	$(if $(installed_module),install -D -m 644 kmod/fxt_sched.ko $(installed_module))

uninstall:
	rm -f $(foreach i,$(installed),$(call installed_as,$(i))) $(installed_module)
	-rmdir $(DESTDIR)$(PREFIX)/include/fxt

clean:
	rm -f $(lib) $(pb) $(pb:.c=.h) $(tool_lib) $(pc) $(unit) $(collect) $(tool) $(bpf_obj) $(bpf_skel) bpf/*.d
	find collector -name '*.[od]' -delete
	$(if $(KDIR),$(MAKE) -C $(KDIR) M=$(CURDIR)/kmod clean)
	-$(MAKE) -s -C selftests clean 2>/dev/null

-include $(patsubst %.o,%.d,$(lib_objs) $(collect_objs) $(tool_objs)) bpf/fxt_sched.bpf.d

.DELETE_ON_ERROR:
FORCE:
.PHONY: all help collector bpf no-modules modules selftests check fuzz bench install uninstall FORCE clean
