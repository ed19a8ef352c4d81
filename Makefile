# SPDX-License-Identifier: GPL-2.0-or-later
#
# fxt-sched. `make help` lists the targets.
#
# The kernel's own Kbuild builds the module in kmod/ against KDIR. collector/build.mk,
# bpf/build.mk and selftests/Makefile build the rest. Each finds its sources by folder: a
# new file needs no entry anywhere.

VERSION := 0.1.0

PREFIX ?= /usr/local
DESTDIR ?=
# CROSS_COMPILE, SYSROOT and ARCH work as in kernel builds. CC and AR are used if they are
# set by the user, but not if they are make's own defaults.
CROSS_COMPILE ?=
SYSROOT ?=
ifneq ($(filter default undefined,$(origin CC)),)
CC := $(CROSS_COMPILE)gcc
endif
ifneq ($(filter default undefined,$(origin AR)),)
AR := $(CROSS_COMPILE)ar
endif
CFLAGS ?= -O3 -g
FUZZ_SECONDS ?= 1800

# The running kernel's headers, else those that scripts/deps.sh fetched. In a kernel
# tree (scripts/intree.sh) the module is elsewhere.
kmod := $(wildcard kmod/Kbuild)
KDIR ?= $(if $(kmod),$(or $(wildcard /lib/modules/$(shell uname -r)/build),\
			  $(shell scripts/deps.sh --kdir)))

sysroot := $(if $(SYSROOT),--sysroot=$(SYSROOT))
all_cflags := -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE \
	      -DFXT_VERSION='"$(VERSION)"' -MMD -MP \
	      $(sysroot) -I. -Iinclude -Iinclude/uapi -Icollector $(CFLAGS)
all_ldflags := $(sysroot) $(LDFLAGS)

# Defined here, because collector/build.mk uses it before bpf/build.mk.
bpf_skel := bpf/fxt_sched.skel.h

all: collector bpf $(if $(kmod),$(if $(KDIR),modules,no-modules))

help:
	@echo 'make               all that this machine can build'
	@echo 'make collector     fxt-collect, fxt, fxt-receive and fxt-open'
	@echo 'make bpf           the BPF program'
	@echo 'make modules       fxt_sched.ko, against KDIR=$(KDIR)'
	@echo 'make selftests     the tests, not run'
	@echo 'make quick         the C tests of format, model and reports, except the longest;'
	@echo '                   selftests/run.sh --list quick lists them'
	@echo 'make check         all tests (scripts/check.sh)'
	@echo 'make fleet-test    ClickHouse and DuckDB with segments of 50 hosts'
	@echo 'make fuzz          the fuzzers, FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo 'make bench         the benchmarks; BENCH= some of those that scripts/bench.sh --help lists'
	@echo '                   AGAINST=COMMIT: compare the times of fxt with those of COMMIT'
	@echo 'make install       into DESTDIR= and PREFIX=$(PREFIX)'
	@echo 'make uninstall     remove the installed files'
	@echo 'make clean'

include collector/build.mk
include bpf/build.mk
include scripts/install.mk

no-modules:
	@echo 'fxt_sched.ko is not built: no kernel headers; scripts/deps.sh vm fetches some, or give KDIR='

modules:
	$(if $(KDIR),,$(error no kernel headers: scripts/deps.sh vm fetches some, or give KDIR=))
	$(MAKE) -C $(KDIR) M=$(CURDIR)/kmod KCFLAGS=-Werror modules

selftests: collector bpf
	$(MAKE) -C selftests

# Builds only these tests. Prints the failed tests, and the number of those that passed.
quick: collector
	$(MAKE) -s -C selftests $$(selftests/run.sh --list quick | sed 's|^|$(CURDIR)/selftests/|')
	@selftests/run.sh --list quick | xargs -P "$$(nproc)" -n 4 sh -c \
		'selftests/run.sh "$$@" | grep -E "^(not ok|# totals)"' sh | \
		awk '/^not ok/ || $$6 > 0 { print; failed = 1 } \
			/^# totals/ { passed += $$4 } \
			END { print passed + 0 " tests passed" (failed ? "; others failed" : ""); \
				exit failed || !passed }'

check:
	scripts/check.sh

fleet-test: selftests
	scripts/fleet/test.sh

fuzz: selftests
	scripts/fuzz.sh --jobs $(shell nproc) $(FUZZ_SECONDS)

bench: selftests
	scripts/bench.sh $(if $(AGAINST),--against $(AGAINST)) $(BENCH)

clean:
	rm -f $(built) bpf/*.d
	find collector -name '*.[od]' -delete
	$(if $(KDIR),$(MAKE) -C $(KDIR) M=$(CURDIR)/kmod clean)
	-$(MAKE) -s -C selftests clean 2>/dev/null

.DELETE_ON_ERROR:
FORCE:
.PHONY: all help collector bpf no-modules modules selftests quick check fleet-test fuzz bench install uninstall FORCE clean
