// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * format.js - formats numbers and names for people, and makes elements with them.
 *
 * Names from an archive get into the page as text only, never as HTML.
 */
'use strict';

/** element() - a new element; its content is always text */
function element(tag, text, attributes) {
	const e = document.createElement(tag);

	if (text !== undefined)
		e.textContent = text;
	for (const [name, value] of Object.entries(attributes || {}))
		e.setAttribute(name, value);
	return e;
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

/** secondsLabel() - ns, exact, as seconds with nine decimals; also of strings of digits */
function secondsLabel(ns) {
	if (ns === null || ns === undefined)
		return '';
	const text = BigInt(ns).toString().padStart(10, '0');

	return text.slice(0, -9) + '.' + text.slice(-9) + ' s';
}

/** nameLabel() - a thread or process; the archive may have no name for it */
function nameLabel(name, id) {
	const shown = visible(name === null || name === '' ? '?' : name);

	return id === undefined || id === null ? shown : shown + '/' + id;
}

/** visible() - replaces invisible characters, and those that change the direction, by U+FFFD */
function visible(text) {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
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
