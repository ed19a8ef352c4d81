# SPDX-License-Identifier: GPL-2.0-or-later
#
# make install and make uninstall. A part of the top Makefile.

# Distributions have their own folders for libraries, and for modules of Python.
LIBDIR ?= $(PREFIX)/lib
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages

pc := collector/fxt.pc
units := $(patsubst %.in,%,$(wildcard collector/systemd/*.in))

# These files contain PREFIX, which may have changed since the last call.
$(pc): collector/libfxt/fxt.pc.in FORCE
$(units): %: %.in FORCE
$(pc) $(units):
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(lib_libs)|' $< > $@

completions := collector/completion

# Only producers need the other two.
public_headers := $(filter-out %/fxt_glob.h %/fxt_rename.h,$(wildcard include/fxt/*.h)) \
	$(wildcard collector/libfxt/fxt_*.h)

# MODE:FILE:FOLDER; a relative folder is below PREFIX. Other programs include <fxt/fxt_reader.h>
# and <fxt/fxt_writer.h>.
installed := $(patsubst %,755:%:bin,$(collect) $(tool) $(receive) $(serve)) \
	644:$(lib):$(LIBDIR) 644:$(so):$(LIBDIR) 644:$(pc):$(LIBDIR)/pkgconfig \
	644:collector/python/fxt.py:$(PYTHONDIR) \
	$(patsubst %,644:%:include/fxt,$(public_headers)) \
	644:include/uapi/linux/fxt_sched.h:include/linux \
	$(patsubst %,644:%:share/man/man1,$(wildcard collector/man/*.1)) \
	$(patsubst %,644:%:share/man/man4,$(wildcard kmod/*.4)) \
	$(patsubst %,644:%:share/man/man7,$(wildcard collector/man/*.7)) \
	644:collector/man/SKILL.md:share/doc/fxt-sched \
	$(patsubst %,644:$(completions)/%:share/bash-completion/completions,fxt fxt-collect) \
	$(patsubst %,644:$(completions)/%:share/zsh/site-functions,_fxt _fxt-collect) \
	$(patsubst %,644:$(completions)/%:share/fish/vendor_completions.d,fxt.fish \
		fxt-collect.fish) \
	$(patsubst %,644:%:lib/systemd/system,$(units) $(wildcard collector/systemd/*.timer)) \
	$(patsubst %,644:%:lib/udev/rules.d,$(wildcard collector/udev/*.rules)) \
	$(patsubst %,755:%:lib/fxt-sched,$(wildcard scripts/fleet/ship.sh))

installed_field = $(word $(1),$(subst :, ,$(2)))
folder = $(DESTDIR)$(if $(filter /%,$(1)),$(1),$(PREFIX)/$(1))
installed_as = $(call folder,$(call installed_field,3,$(1)))/$(notdir $(call installed_field,2,$(1)))
# What -lfxt finds.
so_link := $(DESTDIR)$(LIBDIR)/libfxt.so
# The empty line ends each command.
define install_one
install -D -m $(call installed_field,1,$(1)) $(call installed_field,2,$(1)) $(call installed_as,$(1))

endef

# The module is installed where depmod and modprobe look for out-of-tree modules of the kernel for
# which it was built. Without DESTDIR and KDIR that has to be the running kernel.
module := kmod/fxt_sched.ko
MODLIB ?= /lib/modules
DEPMOD ?= depmod
module_kernel = $(if $(wildcard $(module)),$(firstword $(shell modinfo -F vermagic $(module))))
installed_module = $(if $(module_kernel),$(DESTDIR)$(MODLIB)/$(module_kernel)/updates/fxt_sched.ko)
chosen_kernel = $(if $(filter command environment,$(firstword $(origin KDIR))),$(KDIR))
module_fits = $(or $(DESTDIR),$(chosen_kernel),$(filter $(shell uname -r),$(module_kernel)))
run_depmod = $(if $(DESTDIR),,$(DEPMOD) $(module_kernel))

define install_module
install -D -m 644 $(module) $(installed_module)
$(run_depmod)
@echo 'installed the module for Linux $(module_kernel)$(if $(DESTDIR),; run depmod there)'
endef
define skip_module
@echo 'not installed: $(module) is for Linux $(module_kernel), and this is $(shell uname -r); build it with the headers of this kernel, or give KDIR= to install it for the other one'
endef

install: collector $(pc) $(units)
	$(foreach i,$(installed),$(call install_one,$(i)))
	ln -sf $(notdir $(so)) $(so_link)
	$(if $(module_kernel),$(if $(module_fits),$(install_module),$(skip_module)))

uninstall:
	rm -f $(foreach i,$(installed),$(call installed_as,$(i))) $(so_link)
	$(if $(wildcard $(installed_module)),rm -f $(installed_module))
	$(if $(wildcard $(installed_module)),$(run_depmod))
	-rmdir $(addprefix $(DESTDIR)$(PREFIX)/,include/fxt include/linux lib/fxt-sched)

built += $(pc) $(units)
