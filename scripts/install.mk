# SPDX-License-Identifier: GPL-2.0-or-later
#
# make install and make uninstall. A part of the top Makefile.

pc := collector/fxt.pc
units := $(patsubst %.in,%,$(wildcard collector/systemd/*.in))

# All contain PREFIX, which may have changed since the last call.
$(pc): collector/libfxt/fxt.pc.in FORCE
$(units): %: %.in FORCE
$(pc) $(units):
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(lib_libs)|' $< > $@

completions := collector/completion

# Only producers need the other two.
public_headers := $(filter-out %/fxt_glob.h %/fxt_rename.h,$(wildcard include/fxt/*.h)) \
	$(wildcard collector/libfxt/fxt_*.h)

# MODE:FILE:FOLDER below PREFIX. Other programs include <fxt/fxt_reader.h> and
# <fxt/fxt_writer.h>.
installed := $(patsubst %,755:%:bin,$(collect) $(tool)) \
	644:$(lib):lib 644:$(pc):lib/pkgconfig \
	$(patsubst %,644:%:include/fxt,$(public_headers)) \
	644:include/uapi/linux/fxt_sched.h:include/linux \
	$(patsubst %,644:%:share/man/man1,$(wildcard collector/man/*.1)) \
	$(patsubst %,644:%:share/man/man4,$(wildcard kmod/*.4)) \
	$(patsubst %,644:$(completions)/%:share/bash-completion/completions,fxt fxt-collect) \
	$(patsubst %,644:$(completions)/%:share/zsh/site-functions,_fxt _fxt-collect) \
	$(patsubst %,644:$(completions)/%:share/fish/vendor_completions.d,fxt.fish \
		fxt-collect.fish) \
	$(patsubst %,644:%:lib/systemd/system,$(units) $(wildcard collector/systemd/*.timer)) \
	$(patsubst %,755:%:lib/fxt-sched,$(wildcard scripts/fleet/ship.sh))

installed_field = $(word $(1),$(subst :, ,$(2)))
installed_as = $(DESTDIR)$(PREFIX)/$(call installed_field,3,$(1))/$(notdir $(call installed_field,2,$(1)))
# The empty line ends each command.
define install_one
install -D -m $(call installed_field,1,$(1)) $(call installed_field,2,$(1)) $(call installed_as,$(1))

endef

# depmod and modprobe search out-of-tree modules here.
installed_module = $(if $(wildcard kmod/fxt_sched.ko),$(DESTDIR)/lib/modules/$(firstword \
	$(shell modinfo -F vermagic kmod/fxt_sched.ko))/updates/fxt_sched.ko)

install: collector $(pc) $(units)
	$(foreach i,$(installed),$(call install_one,$(i)))
	$(if $(installed_module),install -D -m 644 kmod/fxt_sched.ko $(installed_module))

uninstall:
	rm -f $(foreach i,$(installed),$(call installed_as,$(i))) $(installed_module)
	-rmdir $(addprefix $(DESTDIR)$(PREFIX)/,include/fxt include/linux lib/fxt-sched)

built += $(pc) $(units)
