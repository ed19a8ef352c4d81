// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parquet_check.js - reads the files of fxt convert --to parquet with DuckDB, hyparquet and
 * Arrow (parquet-wasm).
 *
 * In:  the directory of their modules; a directory with NAME.csv/ and NAME.parquet/ for some
 *      archives; the tool, and the same archives as NAME.fxt.
 * Out: TAP.
 * Must hold: all read the rows of the CSV files; statistics are those of the rows, and
 *      readers that use them skip row groups but no matching row.
 */
'use strict';

const assert = require('assert/strict');
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');
const { pathToFileURL } = require('url');

const [modules, directory, fxt] = process.argv.slice(2);
const load = createRequire(path.resolve(modules, 'as from here.js'));
const { DuckDBInstance } = load('@duckdb/node-api');
const ARCHIVES = ['all', 'sched', 'odd', 'random', 'empty'];
const WINDOWS = 12;		/* of time, that queries ask for */

/* --- CSV -------------------------------------------------------------------------------- */

/* Rows of fields; null for an empty field without quotes. */
function parseCsv(text)
{
	const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/y, rows = [];
	let row = [];

	for (let match; (match = field.exec(text)); ) {
		row.push(match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2] || null);
		if (match[3] === '\n') {
			rows.push(row);
			row = [];
		}
		if (field.lastIndex === text.length)
			return rows;
	}
	throw new Error('no CSV at ' + field.lastIndex);
}

const tables = (name) => fs.readdirSync(path.join(directory, name + '.parquet'))
	.map((file) => path.basename(file, '.parquet'));
const parquetFile = (name, table) => path.join(directory, name + '.parquet', table + '.parquet');

function readCsv(name, table)
{
	const file = path.join(directory, name + '.csv', table + '.csv');
	const [columns, ...rows] = parseCsv(fs.readFileSync(file, 'utf8'));

	return { columns, rows };
}

/* --- what is read ------------------------------------------------------------------------- */

/* A value as in CSV; bytes as hexadecimal digits, numbers as they are. */
function plain(value)
{
	if (value === null || value === undefined)
		return null;
	if (typeof value === 'bigint')
		return String(value);
	if (value instanceof Uint8Array)
		return Buffer.from(value).toString('hex');
	return value.bytes ? Buffer.from(value.bytes).toString('hex') : value;
}

/* The number of the first row that differs; -1 if none does. */
function differs(rows, expected)
{
	const same = (a, b) => typeof a === 'number' ? b !== null && Object.is(a, Number(b)) : a === b;

	if (rows.length !== expected.length)
		return Math.min(rows.length, expected.length);
	return rows.findIndex((row, i) => row.length !== expected[i].length ||
			      !row.every((value, k) => same(value, expected[i][k])));
}

function compare(what, columns, rows, csv)
{
	assert.deepEqual(columns, csv.columns, what);
	const i = differs(rows, csv.rows);

	if (i >= 0)
		assert.deepEqual(rows[i], csv.rows[i], what + ', row ' + i);
}

async function duckdbAsk(duckdb, query)
{
	const reader = await duckdb.runAndReadAll(query);

	return { columns: reader.columnNames(), rows: reader.getRows().map((row) => row.map(plain)) };
}

function bufferOf(file)
{
	const data = fs.readFileSync(file);

	return { byteLength: data.length, read: 0, slice(begin, end = data.length) {
		this.read += end - begin;
		return data.buffer.slice(data.byteOffset + begin, data.byteOffset + end);
	} };
}

/* --- statistics ---------------------------------------------------------------------------- */

/* The order of values: texts compare as unsigned bytes, all others as numbers. */
const isText = (element) => element.converted_type === 'UTF8';
const inOrder = (element, a, b) => isText(element) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) :
	a < b ? -1 : a > b ? 1 : 0;

/* @stats must have the smallest and the largest of @values. */
function checkStatistics(what, element, stats, values)
{
	const present = values.filter((value) => value !== null);
	const order = (a, b) => inOrder(element, a, b);

	assert.equal(Number(stats.null_count), values.length - present.length, what);
	if (element.type === 'BYTE_ARRAY' && (!isText(element) ||
	    present.some((value) => Buffer.byteLength(value) > 64)) || !present.length) {
		assert.equal(stats.min_value, undefined, what);
		assert.equal(stats.max_value, undefined, what);
		return;
	}
	assert.equal(order(stats.min_value, present.reduce((a, b) => order(a, b) <= 0 ? a : b)), 0,
		     what + ' min');
	assert.equal(order(stats.max_value, present.reduce((a, b) => order(a, b) >= 0 ? a : b)), 0,
		     what + ' max');
}

/* Return: the number of row groups. */
async function checkGroups(what, hyparquet, buffer)
{
	const metadata = await hyparquet.lib.parquetMetadataAsync(buffer);
	let at = 0;

	for (const group of metadata.row_groups) {
		const to = at + Number(group.num_rows);
		const rows = await hyparquet.rows(buffer, at, to);

		group.columns.forEach((chunk, i) =>
			checkStatistics(`${what}.${chunk.meta_data.path_in_schema[0]} ${at}`,
					metadata.schema[i + 1], chunk.meta_data.statistics,
					rows.map((row) => row[i])));
		at = to;
	}
	assert.equal(at, Number(metadata.num_rows), what);
	return metadata.row_groups.length;
}

/* --- the tests ------------------------------------------------------------------------------ */

async function sameRows({ duckdb, hyparquet, arrow }, name)
{
	assert.deepEqual(fs.readdirSync(path.join(directory, name + '.csv')).sort(),
			 tables(name).map((table) => table + '.csv').sort());
	for (const table of tables(name)) {
		const file = parquetFile(name, table), csv = readCsv(name, table);
		const asked = await duckdbAsk(duckdb, `SELECT * FROM '${file}'`);
		const buffer = bufferOf(file);
		const columns = hyparquet.lib.parquetSchema(await hyparquet.lib.parquetMetadataAsync(
			buffer)).children.map((child) => child.element.name);
		const rows = (await hyparquet.rows(buffer)).map((row) => row.map(plain));

		compare(`DuckDB: ${name} ${table}`, asked.columns, asked.rows, csv);
		compare(`hyparquet: ${name} ${table}`, columns, rows, csv);
		const read = arrow(fs.readFileSync(file));

		compare(`Arrow: ${name} ${table}`, read.columns, read.rows, csv);
	}
}

async function statistics({ hyparquet }, name)
{
	for (const table of tables(name))
		await checkGroups(`${name} ${table}`, hyparquet, bufferOf(parquetFile(name, table)));
}

/* The archives have what the other tests need. */
async function coverage({ duckdb })
{
	const ask = async (name, table, what, where = 'true') => Number((await duckdbAsk(duckdb,
		`SELECT ${what} FROM ${where.includes('path_in') ? 'parquet_metadata' : 'read_parquet'}` +
		`('${parquetFile(name, table)}') WHERE ${where}`)).rows[0][0]);

	assert.equal(await ask('empty', 'sched', 'count(*)'), 0);
	assert.ok(await ask('sched', 'thread_state', 'count(*)', "path_in_schema = 'ts'") > 1);
	assert.ok(await ask('random', 'args', 'count(*)', "path_in_schema = 'string_value'") > 1);
	assert.ok(await ask('odd', 'args', 'count(*)', 'int_value < 0') > 1000);
	assert.ok(await ask('odd', 'args', 'count(*)', 'string_value IS NULL') > 1000);
	assert.ok(await ask('odd', 'args', 'count(*)', 'real_value < 0') > 1000);
	assert.ok(await ask('all', 'blob_data', 'max(octet_length(data))') === 65536);
	/* Texts with a dictionary, with one that became full, and without. */
	const groups = (await duckdbAsk(duckdb, `SELECT encodings, dictionary_page_offset IS NULL
		FROM parquet_metadata('${parquetFile('odd', 'args')}')
		WHERE path_in_schema = 'string_value' ORDER BY row_group_id`)).rows;

	assert.ok(groups.some((row) => row[1] === false) && groups.some((row) => row[1] === true));
}

/* Short windows of time, spread over the rows of a table. */
function windowsOf(times)
{
	const sorted = [...times].sort((a, b) => a < b ? -1 : a > b ? 1 : 0), windows = [];

	for (let i = 0; i < WINDOWS; i++)
		windows.push([sorted[Math.floor(sorted.length * i / WINDOWS)],
			      sorted[Math.floor(sorted.length * (i + 0.1) / WINDOWS)]]);
	return windows;
}

async function windows({ duckdb }, table)
{
	const csv = readCsv('sched', table), ts = csv.columns.indexOf('ts');
	const times = csv.rows.map((row) => BigInt(row[ts]));

	for (const [from, to] of windowsOf(times)) {
		const { rows } = await duckdbAsk(duckdb, `SELECT count(*) FROM
			'${parquetFile('sched', table)}' WHERE ts BETWEEN ${from} AND ${to}`);

		assert.equal(rows[0][0], String(times.filter((t) => t >= from && t <= to).length));
	}
}

/* A reader that looks for the last microsecond does not read all row groups. */
async function skipping({ hyparquet })
{
	const file = parquetFile('sched', 'thread_state'), all = bufferOf(file), some = bufferOf(file);
	const rows = await hyparquet.objects(all), last = rows.reduce((a, b) => a.ts > b.ts ? a : b).ts;
	const filter = { ts: { $gte: last - 1000n } };
	const found = await hyparquet.objects(some, filter);

	assert.deepEqual(found, rows.filter((row) => row.ts >= last - 1000n));
	assert.ok(found.length > 0 && found.length < rows.length / 2);
	assert.ok(some.read < all.read * 0.7, `${some.read} of ${all.read} bytes read`);
}

/* --- partitions -------------------------------------------------------------------------- */

/* Return: the exit status. */
function partition(archive, lake)
{
	return spawnSync(fxt, ['convert', '-q', '--to', 'parquet', '--partition', '-o', lake, archive],
			 { stdio: 'ignore' }).status;
}

/* A query reads all archives at once. One that is converted again replaces itself. */
async function partitions({ duckdb })
{
	const lake = path.join(directory, 'lake'), archive = path.join(directory, 'sched.fxt');
	const copy = path.join(directory, 'a copy.fxt');
	const files = (table) => `read_parquet('${lake}/host=*/date=*/archive=*/${table}.parquet',
		hive_partitioning = true)`;

	fs.copyFileSync(archive, copy);
	assert.equal(partition(archive, lake), 0);
	assert.equal(partition(copy, lake), 0);
	assert.equal(partition(archive, lake), 0);
	const { rows } = await duckdbAsk(duckdb, `SELECT s.host, CAST(s.date AS VARCHAR), archive,
		count(*) FROM ${files('sched')} s JOIN ${files('thread')} USING (archive, utid)
		GROUP BY ALL ORDER BY archive`);
	const count = String(readCsv('sched', 'sched').rows.length);

	assert.deepEqual(rows.map((row) => row[3]), [count, count]);
	assert.match(rows[0][2], /^a copy-\d{6}\.\d{9}$/);
	assert.match(rows[1][2], /^sched-\d{6}\.\d{9}$/);
	assert.match(rows[0][1], /^\d{4}-\d\d-\d\d$/);
	assert.deepEqual(fs.readdirSync(lake), ['host=' + rows[0][0]]);
	assert.equal(fs.readdirSync(path.join(lake, 'host=' + rows[0][0], 'date=' + rows[0][1])).length, 2);
}

/* Nothing is written if the host is unknown, or if the archive is missing. */
async function noPartition()
{
	const lake = path.join(directory, 'none');

	assert.equal(partition(path.join(directory, 'odd.fxt'), lake), 3);
	assert.equal(partition(path.join(directory, 'missing.fxt'), lake), 3);
	assert.equal(partition(path.join(directory, 'sched.fxt'), path.join(directory, 'odd.fxt')), 4);
	assert.ok(!fs.existsSync(lake));
}

/* Return: a function that makes rows of a file's bytes. */
function openArrow()
{
	const { readParquet } = load('parquet-wasm');
	const { tableFromIPC } = load('apache-arrow');

	return (bytes) => {
		const table = tableFromIPC(readParquet(new Uint8Array(bytes)).intoIPCStream());
		const columns = table.schema.fields.map((field) => field.name);
		const values = columns.map((name, i) => table.numRows ? [...table.getChildAt(i)] : []);
		const rows = Array.from({ length: table.numRows },
					(_, row) => values.map((column) => plain(column[row])));

		return { columns, rows };
	};
}

async function openReaders()
{
	const loadFile = (name, file) => import(pathToFileURL(path.resolve(modules, name, file)));
	const lib = await loadFile('hyparquet', 'src/node.js');
	const { compressors } = await loadFile('hyparquet-compressors', 'src/index.js');
	const database = await DuckDBInstance.create(':memory:', { threads: '1' });
	const rows = async (file, rowStart = 0, rowEnd = undefined) => {
		let read;

		await lib.parquetRead({ file, compressors, utf8: false, rowStart, rowEnd,
					onComplete: (data) => { read = data; } });
		return read;
	};
	const objects = (file, filter) => lib.parquetReadObjects({ file, compressors, utf8: false,
								   filter });

	return { duckdb: await database.connect(), hyparquet: { lib, rows, objects },
		 arrow: openArrow() };
}

async function main()
{
	const readers = await openReaders();
	const tests = [['the archives have what is to be tested', coverage]];

	for (const name of ARCHIVES) {
		tests.push([`${name}: DuckDB, hyparquet and Arrow read the rows of CSV`, sameRows, name]);
		tests.push([`${name}: statistics are those of the rows`, statistics, name]);
	}
	tests.push(['DuckDB finds the rows of any time in sched', windows, 'sched']);
	tests.push(['DuckDB finds the rows of any time in thread_state', windows, 'thread_state']);
	tests.push(['hyparquet skips row groups by time', skipping]);
	tests.push(['DuckDB reads partitions', partitions]);
	tests.push(['an archive without host has no partition', noPartition]);
	console.log('1..' + tests.length);
	for (const [i, [title, test, argument]] of tests.entries()) {
		try {
			await test(readers, argument);
			console.log(`ok ${i + 1} ${title}`);
		} catch (error) {
			console.log(`not ok ${i + 1} ${title}`);
			console.log(String(error.stack).replace(/^/gm, '# '));
			process.exitCode = 1;
		}
	}
}

main();
