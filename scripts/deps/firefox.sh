# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Installs the reader of profiler.firefox.com, for the test of fxt convert --to firefox.
# Sourced by deps.sh after npm.sh; uses its ensure_npm.
#
# In:  profiler-cli, which is built from the viewer's sources, from npm's registry.
# Out: <cache>/firefox/node_modules.

ensure_firefox() {
	ensure_npm firefox firefox @firefox-devtools/profiler-cli@0.10.0
}
