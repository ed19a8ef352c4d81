# SPDX-License-Identifier: GPL-2.0-or-later
#
# The library, fxt-collect, fxt, and the programs that fxt runs. A part of the top Makefile.

PROTOC_C ?= protoc-c

# A folder's sources and those of its folders.
objects_below = $(sort $(patsubst %.c,%.o,$(shell find $(1) -name '*.c' ! -name '*.pb-c.c')))

lib := collector/libfxt.a
lib_objs := $(call objects_below,collector/libfxt)
# For other programs. Ours link the static one, because they also use what it does not export.
so := collector/libfxt.so.0
# What fxt-collect and fxt, but not the library's users, need of symbols.
sym := collector/libsym.a
sym_objs := $(call objects_below,collector/libsym)
# What they need to write text and to replace files.
out := collector/liboutput.a
out_objs := $(call objects_below,collector/liboutput)
# TLS, of fxt-collect and fxt-receive.
tls := collector/libtls.a
tls_objs := $(call objects_below,collector/libtls)
# Perfetto's packets, which they write. Generated.
perfetto := collector/libperfetto.a
pb := collector/libperfetto/trace.pb-c.c
perfetto_objs := $(pb:.c=.o)
# The options of all.
opt := collector/libopt.a
opt_objs := $(call objects_below,collector/libopt)
collect := collector/fxt-collect/fxt-collect
collect_objs := $(call objects_below,collector/fxt-collect)
tool := collector/fxt/fxt
include collector/trace.mk
tool_objs := $(filter-out $(foreach i,$(fxt_without),collector/fxt/$(i)/%.o),$(call objects_below,collector/fxt))
receive := collector/fxt-receive/fxt-receive
receive_objs := $(call objects_below,collector/fxt-receive)
serve := collector/fxt-open/fxt-open
serve_objs := $(call objects_below,collector/fxt-open)
# Where fxt looks for them.
program_links := collector/fxt/fxt-receive collector/fxt/fxt-open
# Each program without its main(), for the tests of its parts.
collect_lib := collector/fxt-collect/fxt-collect.a
tool_lib := collector/fxt/fxt.a
receive_lib := collector/fxt-receive/fxt-receive.a

collector: $(collect) $(tool) $(receive) $(serve) $(program_links) $(so)

$(lib): $(lib_objs)
$(sym): $(sym_objs)
$(out): $(out_objs)
$(tls): $(tls_objs)
$(opt): $(opt_objs)
$(perfetto): $(perfetto_objs)
$(collect_lib): $(filter-out %/main.o,$(collect_objs))
$(tool_lib): $(filter-out %/main.o,$(tool_objs))
$(receive_lib): $(filter-out %/main.o,$(receive_objs))
$(lib) $(sym) $(out) $(tls) $(opt) $(perfetto) $(collect_lib) $(tool_lib) $(receive_lib):
	rm -f $@
	$(AR) rcs $@ $^

# The reader unpacks these, zlib's data with the first.
lib_libs := -lisal -lzstd $(unpack_libs)

so_map := collector/libfxt/libfxt.map
$(so): $(lib_objs) $(so_map)
	$(CC) $(all_ldflags) -shared -Wl,-soname,$(notdir $@) -Wl,--version-script=$(so_map) \
		-Wl,-z,defs -o $@ $(lib_objs) $(lib_libs) -lpthread

$(collect): $(collect_objs) $(opt) $(sym) $(out) $(tls) $(perfetto) $(lib)
	$(CC) $(all_ldflags) -o $@ $^ -lbpf -ldw -lelf -liberty $(lib_libs) -lz -lcap \
		-lseccomp -lprotobuf-c -lgnutls -lpthread

$(tool): $(tool_objs) $(opt) $(sym) $(out) $(perfetto) $(lib)
	$(CC) $(all_ldflags) -o $@ $^ -ldw -lelf -liberty -lcap -lseccomp $(lib_libs) -lz -lsqlite3 \
		-lprotobuf-c $(trace_libs) -lm

$(receive): $(receive_objs) collector/fxt/terminal/message.o $(opt) $(tls) $(lib)
	$(CC) $(all_ldflags) -o $@ $^ $(lib_libs) -lz -lgnutls

$(serve): $(serve_objs) collector/fxt/terminal/message.o $(lib)
	$(CC) $(all_ldflags) -o $@ $^ -lmicrohttpd

$(program_links):
	ln -sfn ../$(@F)/$(@F) $@

# A program's files include one another by their path below its folder.
collector/%.o: all_cflags += $(unpack_cflags)
# Both libraries have the same objects. Calls within them cannot be replaced by others', so that
# the compiler may inline them.
collector/libfxt/%.o: all_cflags += -fPIC -fno-semantic-interposition
collector/fxt/%.o: all_cflags += -Icollector/fxt
collector/fxt/formats.o collector/fxt/formats/%.o: all_cflags += $(trace_cflags)
collector/fxt-collect/%.o: all_cflags += -Icollector/fxt-collect

collector/%.o: collector/%.c Makefile collector/build.mk collector/trace.mk
	$(CC) $(all_cflags) -c -o $@ $<

# The assembler includes the page's parts; the compiler's dependencies miss them.
collector/fxt/report/html/html.o: $(wildcard collector/fxt/report/html/page/*)
collector/fxt/diff/html.o: $(wildcard collector/fxt/diff/page/*)
collector/fxt/formats/firefox/write.o: collector/fxt/formats/firefox/profile.sql

%.pb-c.c: %.proto
	$(PROTOC_C) --c_out=. $<

$(pb:.c=.h): $(pb) ;

# The first build knows no dependencies yet.
$(collect_objs) $(tool_objs): | $(pb)

# Only these see the BPF program's skeleton. Some do not, but then none can be forgotten.
bpf_users := $(filter collector/fxt-collect/source/bpf/%,$(collect_objs))
$(bpf_users): all_cflags += -Ibpf
$(bpf_users): $(bpf_skel)

built += $(lib) $(so) $(sym) $(out) $(tls) $(opt) $(perfetto) $(collect) $(tool) $(receive) $(serve) \
	$(program_links) $(collect_lib) $(tool_lib) $(receive_lib) $(pb) $(pb:.c=.h)

-include $(patsubst %.o,%.d,$(lib_objs) $(sym_objs) $(out_objs) $(tls_objs) $(opt_objs) $(perfetto_objs) $(collect_objs) $(tool_objs) $(receive_objs) $(serve_objs))
