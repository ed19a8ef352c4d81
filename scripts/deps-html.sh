# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Installs a browser, and playwright-core, which drives it, for the tests of fxt report
# --html. Sourced by deps.sh; uses its install_packages, publish and $staging.
#
# In:  Debian's chromium; playwright-core from npm's registry, without a browser.
# Out: <cache>/playwright/node_modules/playwright-core.

# Later versions need a newer node than that of Debian 12.
playwright="playwright-core@1.56.1"

# An installed node of another origin is kept: Debian's npm would replace it.
install_node() {
	local missing=()
	command -v node >/dev/null || missing+=(nodejs)
	command -v npm >/dev/null || missing+=(npm)
	install_packages html "${missing[@]}"
}

ensure_html() {
	local place dir
	install_node
	place=$(cache_dir)/playwright
	if grep -q -s -F "\"version\": \"${playwright#*@}\"" \
		"$place/node_modules/playwright-core/package.json"; then
		say "$playwright: is cached"
		return
	fi
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/playwright
	mkdir -- "$dir"
	say "$playwright: fetching"
	npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --silent \
		"$playwright" >&2 ||
		die 3 "npm install $playwright failed (see above);" \
			"is its registry to be reached? then scripts/deps.sh html again"
	publish "$dir" "$place"
	say "$playwright: cached in $place"
}
