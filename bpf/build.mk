# SPDX-License-Identifier: GPL-2.0-or-later
#
# The BPF program and its skeleton. A part of the top Makefile.

CLANG ?= clang
BPFTOOL ?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)

bpf_obj := bpf/fxt_sched.bpf.o

bpf: $(bpf_skel)

multiarch := $(shell $(CC) -print-multiarch 2>/dev/null)
# libbpf's names of architectures, by which ring.bpf.h chooses its barrier: weakly ordered
# architectures need the atomic exchange, which came with -mcpu=v3.
bpf_arch := $(or $(and $(filter x86_64-%,$(multiarch)),x86),\
		 $(and $(filter aarch64-%,$(multiarch)),arm64),\
		 $(and $(filter s390x-%,$(multiarch)),s390),\
		 $(firstword $(subst -, ,$(multiarch))))
bpf_cpu := v3

$(bpf_obj): bpf/fxt_sched.bpf.c Makefile bpf/build.mk
	$(CLANG) -target bpf -mcpu=$(bpf_cpu) -D__TARGET_ARCH_$(bpf_arch) \
		-O2 -g -ffile-prefix-map=$(CURDIR)=. -Wall -Wextra -Wno-unused-parameter -Werror \
		-MMD -MP -I. -Iinclude -Iinclude/uapi \
		$(if $(multiarch),-idirafter $(SYSROOT)/usr/include/$(multiarch)) -c -o $@ $<

$(bpf_skel): $(bpf_obj)
	$(BPFTOOL) gen skeleton $< name fxt_sched_bpf > $@.tmp
	mv $@.tmp $@

built += $(bpf_obj) $(bpf_skel)

-include bpf/fxt_sched.bpf.d
