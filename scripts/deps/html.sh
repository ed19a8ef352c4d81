# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Installs a browser, playwright-core, which drives it, and axe-core, which checks accessibility, for
# the tests of fxt report --html. Sourced by deps.sh after npm.sh; uses its ensure_npm.
#
# In:  Debian's chromium-headless-shell and firefox-esr; playwright-core from npm's registry, without a browser.
# Out: <cache>/playwright/node_modules/playwright-core, <cache>/axe/node_modules/axe-core.

# Later versions need a newer node than that of Debian 12.
playwright="playwright-core@1.56.1"
axe="axe-core@4.10.3"

ensure_html() {
	ensure_npm html playwright "$playwright"
	ensure_npm html axe "$axe"
}
