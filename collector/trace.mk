# SPDX-License-Identifier: GPL-2.0-or-later
#
# What fxt can be built with, optionally: libtraceevent reads perf.data, and with libtracecmd
# trace.dat; liblzma and libbz2 unpack xz and bzip2. Out: trace_cflags, trace_libs; fxt_without,
# folders of fxt that are not built; unpack_cflags, unpack_libs.

trace_include := $(SYSROOT)/usr/include
has_traceevent := $(wildcard $(trace_include)/traceevent/event-parse.h)
has_tracecmd := $(and $(has_traceevent),$(wildcard $(trace_include)/trace-cmd/trace-cmd.h),\
			$(wildcard $(trace_include)/tracefs/tracefs.h))

trace_cflags := $(if $(has_traceevent),-DFXT_HAS_TRACEEVENT -I$(trace_include)/traceevent)\
		$(if $(has_tracecmd),-DFXT_HAS_TRACECMD -I$(trace_include)/trace-cmd \
			-I$(trace_include)/tracefs)
trace_libs := $(if $(has_tracecmd),-ltracecmd -ltracefs)\
	      $(if $(has_traceevent),-ltraceevent -ldl)
fxt_without := $(if $(has_traceevent),,formats/tep formats/perf_data) $(if $(has_tracecmd),,formats/trace_dat)

has_lzma := $(wildcard $(trace_include)/lzma.h)
has_bzip2 := $(wildcard $(trace_include)/bzlib.h)
unpack_cflags := $(if $(has_lzma),-DFXT_HAS_LZMA) $(if $(has_bzip2),-DFXT_HAS_BZIP2)
unpack_libs := $(if $(has_lzma),-llzma) $(if $(has_bzip2),-lbz2)
