// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unpack.js - unpacks blocks of the page, first that of the scripts, which it runs.
 *
 * In:  blocks as write/spool.h describes them. Out: their bytes.
 * Must hold: it uses no other script, because they are in a block.
 */
'use strict';

/** byId() - an element of report.html */
function byId(id) {
	return document.getElementById(id);
}

/** tellProblem() - shows an error at the top of the page */
function tellProblem(text) {
	byId('problem').textContent = text;
	byId('problem').hidden = false;
}

/** embedded() - the text of a block */
function embedded(name) {
	return byId('fxt-' + name).textContent;
}

/* The characters of packed text, as write/spool.c has them: all that are printable but & < > */
const PACKED_BASE = 91, PACKED_FIRST = 0x21, PACKED_LAST = 0x7e, PACKED_SKIPPED = '&<>';

function packedDigits() {
	const values = new Uint8Array(128);
	let next = 0;

	for (let code = PACKED_FIRST; code <= PACKED_LAST; code++) {
		if (!PACKED_SKIPPED.includes(String.fromCharCode(code)))
			values[code] = next++;
	}
	return values;
}

/* Two characters hold 13 bits; one at the end at most 6. */
function packedBytes(text) {
	const digits = packedDigits(), { length } = text, pairs = length >> 1;
	const bytes = new Uint8Array((pairs * 13 + length % 2 * 6) >> 3);
	let bits = 0, count = 0, n = 0;

	for (let i = 0; i < length; i += 2) {
		const high = digits[text.charCodeAt(i)];

		if (i + 1 < length) {
			bits |= (high * PACKED_BASE + digits[text.charCodeAt(i + 1)]) << count;
			count += 13;
		} else {
			bits |= high << count;
			count += 6;
		}
		for (; count >= 8; count -= 8, bits >>>= 8)
			bytes[n++] = bits;
	}
	return bytes;
}

/** unpacked() - the bytes of a packed block */
async function unpacked(name) {
	const bytes = packedBytes(embedded(name));
	const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));

	return new Uint8Array(await new Response(plain).arrayBuffer());
}

/* All scripts are one, in the order of the page. The policy of the page allows it, but no eval(). */
async function runScripts() {
	if (!window.DecompressionStream) {
		tellProblem('This browser cannot unpack the page (DecompressionStream); ' +
			    'use a browser of 2023 or later.');
		return;
	}
	const script = document.createElement('script');

	script.textContent = new TextDecoder().decode(await unpacked('scripts'));
	document.head.append(script);
	byId('fxt-scripts').remove();
}

runScripts().catch((error) => {
	tellProblem('The page cannot be shown: ' + error.message +
		    '; if the file is truncated or changed, run fxt report --html again.');
	console.error(error);
});
