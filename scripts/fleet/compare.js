// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare.js - checks the answer to one question.
 *
 * In:  compare.js known   ANSWERS QUESTION HOSTS CYCLES
 *      compare.js reports ANSWERS QUESTION REPORTS
 *      compare.js same    ANSWERS QUESTION OTHER_ANSWERS
 *      ANSWERS has QUESTION.tsv; REPORTS has NAME.report.json and NAME.info.json of each archive.
 * Out: exit status 0 if the answer is right; else what differs.
 *
 * known: compares with the comment of selftests/lib/generate_fleet.c, for hosts fleet-000 to
 *      HOSTS - 1.
 * reports: compares with sums over the reports (fxt report) of all archives, of any host.
 * same: compares with the other engine's answer.
 */
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const path = require('path');

const [mode, answers, question, ...more] = process.argv.slice(2);
const US = 1000, MS = 1000 * US, DAYS = 2;
const DAY = ['2023-11-14', '2023-11-15'];

/* --- answers -------------------------------------------------------------------------------- */

const isNumber = (text) => /^-?\d+(\.\d+)?(e[-+]\d+)?$/.test(text);

const unescape = (text) => text.replace(/\\(.)/g,
	(all, letter) => ({ n: '\n', t: '\t', 0: '\0' })[letter] || letter);

/* Rows as objects. Times of day exceed 2^53 and stay text. */
function read(directory)
{
	const text = fs.readFileSync(path.join(directory, question + '.tsv'), 'utf8');
	const [columns, ...rows] = text.split('\n').slice(0, -1).map((line) => line.split('\t'));

	return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column,
		isNumber(row[i]) && row[i].length < 16 ? Number(row[i]) : unescape(row[i])])));
}

const rows = read(answers);
const ofFleet = rows.filter((row) => !row.host || row.host.startsWith('fleet-'));

/* --- known answers ---------------------------------------------------------------------------- */

const usual = (n, day) => (100 + n) * US * (day && n % 5 === 1 ? 3 : 1);
const worst = (n) => (1100 + 10 * n) * US;
const name = (n) => `fleet-${String(n).padStart(3, '0')}`;
const sortBy = (list, ...columns) => list.map((row) => columns.map((column) => row[column]))
	.sort((a, b) => String(a) < String(b) ? -1 : 1);

/* QUESTION: [columns, (n, day) => rows of these columns of one host and day, how to add days] */
function knownOf(hosts, cycles)
{
	const moved = cycles / 10, queued = cycles - moved;
	const all = [...Array(hosts).keys()];
	const both = (n, of) => of(n, 0) + of(n, 1);
	const idle = (n, day) => queued * MS + (cycles - 1) * usual(n, day) + worst(n);
	const each = (of) => all.flatMap((n) => [0, 1].map((day) => of(n, day)));
	const total = queued * DAYS * hosts;

	return {
		'01-worst-latency': [['host', 'hour', 'worst_ns', 'who', 'kind', 'cause'],
			each((n, day) => [name(n), hour(n, day), worst(n), 'web', 'R', 'client'])],
		'02-preemptions': [['thread', 'other', 'preemptions', 'waited_ns', 'hosts'],
			[['web', 'batch', total, total * MS, hosts]]],
		'03-doubled': [['host', 'day', 'before_ns', 'p99_ns'],
			all.filter((n) => n % 5 === 1)
				.map((n) => [name(n), DAY[1], usual(n, 0), usual(n, 1)])],
		'04-noisy-cgroups': [['noisy', 'victim', 'preemptions', 'waited_ns', 'hosts'],
			[['/batch', '/web', total, total * MS, hosts]]],
		'05-idle-while-queued': [['host', 'idle_ns', 'thread_ns'],
			all.map((n) => [name(n), both(n, idle), both(n, idle)])],
		'06-interrupts': [['host', 'category', 'name', 'interrupts', 'took_ns', 'longest_ns'],
			all.flatMap((n) => [
				[name(n), 'irq', 'eth0', DAYS * cycles, DAYS * cycles * 100 * US, 100 * US],
				[name(n), 'softirq', 'NET_RX', DAYS * cycles, DAYS * cycles * 10 * n * US,
				 10 * n * US]])],
		'07-throttled': [['host', 'cgroup', 'times', 'throttled_ns', 'longest_ns'],
			all.filter((n) => n % 10 === 3)
				.map((n) => [name(n), '/batch', 4, 4 * 100 * n * US, 100 * n * US])],
		'08-longest-sleeps': [['host', 'slept_ns', 'state', 'thread', 'tid', 'waker', 'irq'],
			each((n) => [name(n), cycles * 10 * MS + n * MS + 200 * US, 'S', 'cron', 41,
				     'client', 0])],
		'09-migrations': [['host', 'thread', 'migrations'],
			all.map((n) => [name(n), 'web', DAYS * 2 * moved])],
		'10-losses': [['host', 'segments', 'lost_records'],
			all.map((n) => [name(n), DAYS, n % 7 ? 0 : DAYS * n])],
	}[question];
}

const hour = (n, day) => {
	const at = new Date(Date.UTC(2023, 10, 14 + day, 12 + n % 12));

	return at.toISOString().slice(0, 13).replace('T', ' ') + ':00:00';
};

function checkKnown(hosts, cycles)
{
	const [columns, expected] = knownOf(Number(hosts), Number(cycles));
	let found = ofFleet;

	if (question.startsWith('02'))
		found = found.filter((row) => row.thread === 'web');
	if (question.startsWith('04'))
		found = found.filter((row) => row.victim === '/web');
	if (question.startsWith('08'))
		found = found.filter((row) => row.thread === 'cron');
	assert.ok(expected.length > 0);
	assert.deepEqual(sortBy(found, ...columns), sortBy(expected, ...columns.keys()));
}

/* --- reports of the single archives --------------------------------------------------------------- */

function readReports(directory)
{
	const json = (file) => JSON.parse(fs.readFileSync(path.join(directory, file), 'utf8'));

	return fs.readdirSync(directory).filter((file) => file.endsWith('.report.json'))
		.map((file) => ({ ...json(file), info: json(file.replace('.report.', '.info.')) }))
		.map((r) => ({ ...r, host: r.info.session.host }));
}

/* Sums of values by key: list has [key, value]. */
function sums(list, add = (a, b) => a + b)
{
	const map = new Map();

	for (const [key, value] of list)
		map.set(key, map.has(key) ? add(map.get(key), value) : value);
	return Object.fromEntries([...map].filter(([, value]) => value !== 0).sort());
}

const most = (a, b) => Math.max(a, b);
const key = (...parts) => parts.join(' ');

function hourOf(r, ns)
{
	const at = Number((BigInt(r.info.session.epoch) + BigInt(ns)) / 1000000n);

	return new Date(at).toISOString().slice(0, 13).replace('T', ' ') + ':00:00';
}

const waits = (r) => [r.woken, r.preempted, r.held_off].filter((w) => w && w.count);
const per = (reports, of) => reports.flatMap(of);

/*
 * A recording of this machine can end during a wait, of which a report counts the part so far; and
 * a segment can begin during an interrupt.
 */
const made = (reports) => reports.filter((r) => r.host.startsWith('fleet-'));

/* In a report, the time of a soft interrupt excludes the hard interrupts during it. */
const ofSoft = (row) => row.category === 'softirq' ? 0 : row.took_ns;

/* QUESTION: [values of the answer, values of the reports] */
const fromReports = {
	'01-worst-latency': (reports) => [
		sums(ofFleet.map((row) => [key(row.host, row.hour), row.worst_ns])),
		sums(per(made(reports), (r) => waits(r).map((w) =>
			[key(r.host, hourOf(r, w.max_time_ns - w.max_ns)), w.max_ns])), most)],
	'02-preemptions': (reports) => [
		sums(rows.map((row) => ['all', row.preemptions])),
		sums(per(reports, (r) => r.names.map((n) => ['all', n.preempted])))],
	'03-doubled': (reports) => {
		const p99 = sums(per(reports, (r) => [[key(r.host, hourOf(r, r.first_ns).slice(0, 10)),
						       r.woken.p99_ns]]), most);
		const hosts = [...new Set(reports.map((r) => r.host))];

		return [ofFleet.map((row) => row.host).sort(), hosts.filter((host) =>
			p99[key(host, DAY[1])] >= 2 * p99[key(host, DAY[0])]).sort()];
	},
	'04-noisy-cgroups': (reports) => [
		sums(ofFleet.filter((row) => row.victim === '/web')
			.map((row) => [row.victim, row.preemptions])),
		sums(per(reports, (r) => r.cgroups.filter((c) => c.name === '/web')
			.map((c) => [c.name, c.preempted])))],
	'06-interrupts': (reports) => [
		sums(ofFleet.flatMap((row) => [[key(row.host, row.name, 'count'), row.interrupts],
					       [key(row.host, row.name, 'ns'), ofSoft(row)]])),
		sums(per(made(reports), (r) => r.interrupts.flatMap((i) =>
			[[key(r.host, i.name, 'count'), i.count],
			 [key(r.host, i.name, 'ns'), i.kind === 'softirq' ? 0 : i.total_ns]])))],
	'07-throttled': (reports) => [
		sums(rows.flatMap((row) => [[key(row.host, row.cgroup, 'count'), row.times],
					    [key(row.host, row.cgroup, 'ns'), row.throttled_ns]])),
		sums(per(reports, (r) => (r.throttled_cgroups || []).flatMap((c) =>
			[[key(r.host, c.name, 'count'), c.count],
			 [key(r.host, c.name, 'ns'), c.total_ns]])))],
	/* The report does not list sleeps in other states. */
	'08-longest-sleeps': (reports) => {
		const sleeps = rows.filter((row) => row.state === 'S');
		const longest = (list) => sums(list, (a, b) => a[0] >= b[0] ? a : b);

		return [longest(sleeps.map((row) => [row.host,
			[row.slept_ns, row.thread, row.waker || null]])),
		longest(per(reports, (r) => r.longest_sleeps.map((s) =>
			[r.host, [s.sleep_ns, s.name, s.waker_name]])))];
	},
	'09-migrations': (reports) => {
		const answer = sums(rows.map((row) => [row.host, row.migrations]));
		const expected = sums(per(reports, (r) => r.names.map((n) => [r.host, n.migrations])));
		const room = sums(per(reports, (r) =>
			[[r.host, r.cpus.length + r.losses.unknown_waits]]));

		/*
		 * The tables have no row for a run that began before the segment, at most one for
		 * each CPU, and none for a run whose beginning was not seen. A report knows on
		 * which CPU it ended. The made-up segments have none of these.
		 */
		for (const host of Object.keys(answer).filter((of) => !of.startsWith('fleet-')))
			if (Math.abs(answer[host] - expected[host]) <= room[host])
				answer[host] = expected[host];
		return [answer, expected];
	},
	'10-losses': (reports) => [
		sums(rows.flatMap((row) => [[key(row.host, 'lost'), row.lost_records],
					    [key(row.host, 'written'), row.records],
					    [key(row.host, 'switches'), row.all_switches]])),
		sums(per(reports, (r) => [[key(r.host, 'lost'), r.losses.lost],
					  [key(r.host, 'written'), r.losses.written],
					  [key(r.host, 'switches'), r.switches]]))],
};

/* --- both engines ---------------------------------------------------------------------------------- */

const isClose = (a, b) => a === b || (typeof a === 'number' && Math.abs(a - b) < 1e-9 * Math.abs(b));

function checkSame(other)
{
	const theirs = read(other);

	assert.equal(rows.length, theirs.length);
	rows.forEach((row, i) => Object.keys(row).forEach((column) =>
		assert.ok(isClose(row[column], theirs[i][column]),
			  `row ${i}: ${JSON.stringify(row)} ${JSON.stringify(theirs[i])}`)));
}

if (mode === 'known') {
	checkKnown(...more);
} else if (mode === 'same') {
	checkSame(more[0]);
} else {
	const [answer, expected] = fromReports[question](readReports(more[0]));

	assert.ok(Object.keys(expected).length > 0);
	assert.deepEqual(answer, expected);
}
