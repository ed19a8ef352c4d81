// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parquet_trace.js - prints a JSON trace whose columns are difficult to encode.
 *
 * In:  "random": only texts that cannot be compressed, 12 MB of them; else nothing.
 * Out: events, with arguments that
 *      - have few values in the first row group; then many, of which a dictionary has no
 *        room for all; then only different ones;
 *      - are negative, of 64 bits, zeros of both signs, fractions, empty, long, and of
 *        characters of one to four bytes.
 */
'use strict';

const crypto = require('crypto');

const EVENTS = 45000;
const RANDOM = 400;		/* events with random texts */
const RANDOM_BYTES = 23000;	/* of each, before base64 */
const FEW = 20000;		/* of them with few texts */
const LONG = 80;		/* characters of the other texts */
const names = ['', 'a "quote", a comma', 'two\nlines\r\n', '\t', '\\', 'ä', '日本', '😀', '\u007f',
	       'x'.repeat(64), 'y'.repeat(65), 'z'.repeat(20000), "it's"];

function text(i)
{
	return i < FEW ? 'few ' + i % 7 : String(i).padEnd(LONG, 'distinct ');
}

/* JSON has no integer that JavaScript cannot represent, so these are written as text. */
function integer(i)
{
	const extremes = ['-9223372036854775808', '9223372036854775807', '0', '-1',
			  '18446744073709551615'];

	return i % 1000 < extremes.length ? extremes[i % 1000] : String(-i * 977);
}

function real(i)
{
	const extremes = ['0.0', '-0.0', '1e300', '-1e-300'];

	return i % 500 < extremes.length ? extremes[i % 500] : String(-i / 8 + 0.5);
}

function event(i)
{
	const name = JSON.stringify(names[i % names.length]);
	const args = `"text":${JSON.stringify(text(i))},"integer":${integer(i)},` +
		     `"real":${real(i)}` + (i % 3 ? '' : ',"none":null') +
		     (i % 50 ? '' : ',"odd":' + name);

	if (i % 10)
		return `{"ph":"i","pid":1,"tid":${i % 40 + 1},"ts":${i},"name":${name},` +
		       `"cat":"c","args":{${args}}}`;
	return `{"ph":"C","pid":1,"tid":1,"ts":${i},"name":"counter","args":{"value":${real(i)}}}`;
}

/* An event with random texts, which are the same on every run. */
function randomEvent(i)
{
	const key = Buffer.alloc(16, String(i).padStart(16));
	const cipher = crypto.createCipheriv('aes-128-ctr', key, Buffer.alloc(16));
	const bytes = cipher.update(Buffer.alloc(RANDOM_BYTES));

	return `{"ph":"i","pid":1,"tid":1,"ts":${i},"name":"random","args":{"text":"${bytes.toString('base64')}"}}`;
}

const lines = [], random = process.argv[2] === 'random';

for (let i = 0; i < (random ? RANDOM : EVENTS); i++)
	lines.push(random ? randomEvent(i) : event(i));
process.stdout.write('[' + lines.join(',\n') + ']\n');
