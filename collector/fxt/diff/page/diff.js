// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diff.js - joins the timelines of both sides, which are pages of fxt report in frames. In: clicks
 * on names, and the state of each frame: the part of its address after #. Out: both sides show the
 * name that was clicked, and the same time since their start.
 */
'use strict';

const sides = [...document.querySelectorAll('iframe')];
const together = document.querySelector('#together');

/* Change some parts of the state of a side. */
function change(side, parts) {
	const { location, history } = side.contentWindow, state = new URLSearchParams(location.hash.slice(1));

	for (const [name, value] of Object.entries(parts))
		value === null ? state.delete(name) : state.set(name, value);
	/* Replace, so that the browser's history does not get each step. */
	history.replaceState(null, '', location.href.split('#')[0] + '#' + state);
	side.contentWindow.dispatchEvent(new Event('hashchange'));
}

/* The side under the mouse, or with the focus, leads: the other side's time may end earlier. */
window.addEventListener('message', ({ source, data }) => {
	const leader = sides.find((side) => side.matches(':hover')) ?? document.activeElement;

	if (!together?.checked || leader?.contentWindow !== source)
		return;
	const state = new URLSearchParams(data);

	for (const side of sides)
		if (side.contentWindow !== source)
			change(side, { view: state.get('view') });
});

for (const name of document.querySelectorAll('button[data-search]'))
	name.addEventListener('click', () => {
		for (const side of sides)
			change(side, { find: name.dataset.search, at: null });
		sides[0].scrollIntoView();
	});
