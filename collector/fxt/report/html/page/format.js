// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * format.js - formats numbers and names for people, and makes elements with them.
 *
 * Names from an archive get into the page as text only, never as HTML. This script is the first of
 * all, which run as one.
 */
'use strict';

/** element() - a new element; content: a text, which is never HTML, or a list of texts and elements */
function element(tag, content = [], attributes = {}) {
	const e = document.createElement(tag);

	e.append(...[content].flat());
	for (const [name, value] of Object.entries(attributes))
		e.setAttribute(name, value);
	return e;
}

/** button() - a button; go: what a click does */
function button(text, go, attributes = {}) {
	const e = element('button', text, { type: 'button', ...attributes });

	e.addEventListener('click', go);
	return e;
}

/** options() - of a select: [value, text] of each */
function options(choices) {
	return choices.map(([value, text]) => element('option', text, { value }));
}

/** on() - calls a function when something happens to an element, or to that with an id */
function on(target, types, go) {
	for (const type of types.split(' '))
		(typeof target === 'string' ? byId(target) : target).addEventListener(type, go);
}

/** digits() - a number with three digits, or with all digits before the point */
function digits(value) {
	if (value >= 100)
		return value.toFixed(0);
	return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** timeLabel() - a time in ns with a unit, e.g. 12.3 us; null: empty */
function timeLabel(ns) {
	const units = [[1e9, ' s'], [1e6, ' ms'], [1e3, ' us']];

	if (ns === null || ns === undefined)
		return '';
	const value = Number(ns), size = Math.abs(value);

	for (const [factor, unit] of units) {
		if (size >= factor)
			return (value < 0 ? '-' : '') + digits(size / factor) + unit;
	}
	return value.toFixed(0) + ' ns';
}

/** countLabel() - a count with blanks between thousands */
function countLabel(count) {
	if (count === null || count === undefined)
		return '';
	return String(count).replace(/\B(?=(\d{3})+$)/g, '\u2009');
}

/** plural() - a count with its noun */
function plural(count, what) {
	return countLabel(count) + ' ' + what + (Number(count) === 1 ? '' : 's');
}

/** shareLabel() - a share of 1, in per cent */
function shareLabel(share) {
	return (share * 100).toFixed(2) + '%';
}

/* Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** nameLabel() - a thread or process; the archive may have no name for it */
function nameLabel(name, id) {
	const text = visible(name === null || name === '' ? '?' : name);
	/* A mark, which nobody sees, keeps what follows on the right of the name. */
	const shown = RIGHT_TO_LEFT.test(text) ? text + '\u200e' : text;

	return id === undefined || id === null ? shown : shown + '/' + id;
}

/** threadLabel() - of a thread of the timeline; all idle threads have one id */
function threadLabel(t) {
	return nameLabel(t.name, t.isIdle ? null : t.id);
}

/** visible() - replaces invisible characters, and those that change the direction, by U+FFFD */
function visible(text) {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** groupedBy() - lists of elements, by their key */
function groupedBy(list, keyOfElement) {
	const groups = new Map();

	for (const of of list) {
		const key = keyOfElement(of);

		if (groups.has(key))
			groups.get(key).push(of);
		else
			groups.set(key, [of]);
	}
	return groups;
}

/** addTo() - adds to the sum of a key */
function addTo(sums, key, value) {
	sums.set(key, (sums.get(key) ?? 0) + value);
}

/** bySize() - the keys of sums with these, the largest first */
function bySize(sums) {
	return [...sums].sort((a, b) => b[1] - a[1]);
}

/** flip() - adds to a set, or removes from it */
function flip(set, key) {
	if (!set.delete(key))
		set.add(key);
}

/** afterRest() - a function that calls fn when it has not been called for some ms */
function afterRest(ms, fn) {
	let timer = null;

	return () => {
		clearTimeout(timer);
		timer = setTimeout(fn, ms);
	};
}

/** atLeast() - the first of count numbers from which on a condition is true */
function atLeast(low, count, isTrue) {
	let high = count;

	while (low < high) {
		const middle = (low + high) >>> 1;

		if (isTrue(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
