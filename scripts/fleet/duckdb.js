// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * duckdb.js - asks the questions of questions/ to Parquet files on this machine.
 *
 * In:  the directory of DuckDB's modules; that of fxt convert --to parquet --partition; a
 *      directory for the answers; the questions' files.
 * Out: a file NAME.tsv for each question, with the names of the columns first; on standard
 *      output the time for the tables of duckdb.sql and for each question.
 */
'use strict';

const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');

const [modules, directory, answers, ...questions] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(path.resolve(modules, 'as from here.js'))('@duckdb/node-api');

/* Translates the questions from ClickHouse's SQL, which differs in this. */
const translate = (sql) => sql.replaceAll('quantileExact(0.99)(', 'p99(');

/* As ClickHouse does. */
const escape = (value) => String(value).replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
	.replaceAll('\t', '\\t');

const seconds = (from) => (Number(process.hrtime.bigint() - from) / 1e9).toFixed(3);

async function ask(db, file)
{
	const from = process.hrtime.bigint();
	const reader = await db.runAndReadAll(translate(fs.readFileSync(file, 'utf8')));
	const rows = [reader.columnNames(), ...reader.getRows()];
	const name = path.basename(file, '.sql');

	fs.writeFileSync(path.join(answers, name + '.tsv'),
			 rows.map((row) => row.map(escape).join('\t') + '\n').join(''));
	console.log(`${name}\t${seconds(from)}`);
}

async function main()
{
	const db = await (await DuckDBInstance.create(':memory:')).connect();
	const from = process.hrtime.bigint();

	await db.run(fs.readFileSync(path.join(__dirname, 'duckdb.sql'), 'utf8')
		.replaceAll('@DIR@', directory.replaceAll("'", "''")));
	console.log(`tables\t${seconds(from)}`);
	for (const file of questions)
		await ask(db, file);
}

main().catch((error) => {
	console.error(String(error));
	process.exit(1);
});
