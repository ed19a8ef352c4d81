# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What looks at the pages of fxt report --html as people do: a browser, and what
# drives it. Sourced by deps.sh, whose install_packages, publish and $staging it
# uses.
#
# In:  Debian's chromium; playwright-core from npm's registry, which brings no browser.
# Out: <cache>/playwright/node_modules/playwright-core.

# The last ones need a newer node than Debian 12 has.
playwright="playwright-core@1.56.1"

# Who has a node of another origin keeps it: Debian's npm would take it away.
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
