# SPDX-License-Identifier: GPL-2.0-or-later
#
# What fxt can be built with, optionally: libtraceevent reads perf.data, and with libtracecmd
# trace.dat. Out: trace_cflags, trace_libs; fxt_without, folders of fxt that are not built.

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
