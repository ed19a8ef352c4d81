// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * format.js - formats numbers and names for people, and makes elements with them.
 *
 * Names from an archive get into the page as text only, never as HTML. This script is the first of
 * all, which run as one.
 */
'use strict';

/* content: a text, which is never HTML, or a list of texts and elements */
function element(tag, content = [], attributes = {}) {
	const e = document.createElement(tag);

	e.append(...[content].flat());
	for (const [name, value] of Object.entries(attributes))
		e.setAttribute(name, value);
	return e;
}

/* go: what a click does */
function button(text, go, attributes = {}) {
	const e = element('button', text, { type: 'button', ...attributes });

	e.addEventListener('click', go);
	return e;
}

/* Options of a select from [value, text] pairs. */
function options(choices) {
	return choices.map(([value, text]) => element('option', text, { value }));
}

/* Listen to events of an element, or of the element with an id. */
function on(target, types, go) {
	for (const type of types.split(' '))
		(typeof target === 'string' ? byId(target) : target).addEventListener(type, go);
}

/* Three digits, or more if there are more before the decimal point. */
function digits(value) {
	if (value >= 100)
		return value.toFixed(0);
	return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/* ns with a unit, e.g. 12.3 us; null: empty. */
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

/* With blanks between thousands. */
function countLabel(count) {
	if (count === null || count === undefined)
		return '';
	return String(count).replace(/\B(?=(\d{3})+$)/g, '\u2009');
}

function plural(count, what) {
	return countLabel(count) + ' ' + what + (Number(count) === 1 ? '' : 's');
}

function shareLabel(share) {
	return (share * 100).toFixed(2) + '%';
}

/* Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/* The archive may have no name for a thread or process. */
function nameLabel(name, id) {
	const text = visible(name === null || name === '' ? '?' : name);
	/* An invisible mark keeps the following text on the right of the name. */
	const shown = RIGHT_TO_LEFT.test(text) ? text + '\u200e' : text;

	return id === undefined || id === null ? shown : shown + '/' + id;
}

/* All idle threads have one id. */
function threadLabel(t) {
	return nameLabel(t.name, t.isIdle ? null : t.id);
}

/* Replaces invisible characters, and those that change the direction, by U+FFFD. */
function visible(text) {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

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

function addTo(sums, key, value) {
	sums.set(key, (sums.get(key) ?? 0) + value);
}

/* [key, sum] pairs, the largest sum first. */
function bySize(sums) {
	return [...sums].sort((a, b) => b[1] - a[1]);
}

/* Add to a set, or remove from it. */
function flip(set, key) {
	if (!set.delete(key))
		set.add(key);
}

/* A function that calls fn once it was not called for some ms. */
function afterRest(ms, fn) {
	let timer = null;

	return () => {
		clearTimeout(timer);
		timer = setTimeout(fn, ms);
	};
}

/* Binary search: the first of count numbers, from low on, for which isTrue() holds. */
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
