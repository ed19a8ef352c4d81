// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tables.js - the tables of the report; a click on a head sorts.
 *
 * In: lists of the report's JSON. Out: tables. Each cell has the exact number of the
 * report in data-value, and shows a rounded one.
 */
'use strict';

const FIRST_ROWS = 100;		/* shown until the user requests all */

/* How the values of a column are shown; texts are aligned left. */
const SHOW = {
	time: timeLabel,
	count: countLabel,
	share: shareLabel,
	seconds: secondsLabel,
	id: (value) => value === null || value === undefined ? '?' : String(value),
	text: (value) => visible(String(value ?? '?')),
};

/** class SortedTable - one table; columns: { title, type, of: (row) => value } */
class SortedTable {
	constructor(place, label, columns, rows, onRow) {
		this.place = byId(place);
		this.label = label;
		this.columns = columns;
		this.rows = rows;
		this.shown = rows;
		this.onRow = onRow;
		this.most = FIRST_ROWS;
		this.sorted = null;
		this.build();
	}

	build() {
		const table = element('table', undefined, { 'aria-label': this.label });
		const head = element('tr'), scroll = element('div', undefined, { class: 'scroll',
			tabindex: '0', role: 'region', 'aria-label': this.label });

		this.heads = this.columns.map((column, i) => {
			const th = element('th', undefined, { scope: 'col' });
			const button = element('button', column.title, { type: 'button' });

			if (column.type === 'text')
				th.className = 'text';
			button.addEventListener('click', () => this.sort(i));
			th.append(button);
			return th;
		});
		head.append(...this.heads);
		const thead = element('thead');

		thead.append(head);
		this.body = element('tbody');
		table.append(thead, this.body);
		scroll.append(table);
		this.more = element('button', '', { type: 'button' });
		this.more.addEventListener('click', () => {
			this.most = Infinity;
			this.fill();
		});
		this.place.replaceChildren(scroll, this.more);
		this.fill();
	}

	fill() {
		const rows = this.shown.slice(0, this.most);

		this.body.replaceChildren(...rows.map((row) => this.row(row)));
		this.more.hidden = rows.length === this.shown.length;
		this.more.textContent = 'Show all ' + countLabel(this.shown.length) + ' rows';
	}

	row(row) {
		const tr = element('tr');

		for (const column of this.columns) {
			const value = column.of(row);
			const shown = value === undefined ? '' : SHOW[column.type](value);
			const td = element('td', shown,
					   { 'data-value': JSON.stringify(value ?? null) });

			if (column.type === 'text') {
				td.className = 'text';
				td.title = td.textContent;
			}
			tr.append(td);
		}
		if (this.onRow) {
			tr.className = 'link';
			tr.tabIndex = 0;
			tr.addEventListener('click', () => this.onRow(row));
			tr.addEventListener('keydown', (event) => {
				if (event.key === 'Enter')
					this.onRow(row);
			});
		}
		return tr;
	}

	/** sort() - sorts by a column: largest numbers or first letters first, then reversed */
	sort(column) {
		const { of, type } = this.columns[column];
		const isText = type === 'text' || type === 'id';
		const isSame = this.sorted && this.sorted.column === column;
		const isUp = isSame ? !this.sorted.isUp : isText;

		this.sorted = { column, isUp };
		this.rows = this.rows.slice().sort((a, b) => (isUp ? 1 : -1) *
						   compare(of(a), of(b), type === 'text'));
		this.heads.forEach((th, i) => {
			th.removeAttribute('aria-sort');
			th.firstChild.textContent = this.columns[i].title +
				(i === column ? isUp ? ' ▲' : ' ▼' : '');
		});
		this.heads[column].setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
		this.filter(this.wanted || (() => true));
	}

	/** filter() - shows only rows for which a function returns true */
	filter(wanted) {
		this.wanted = wanted;
		this.shown = this.rows.filter(wanted);
		this.fill();
	}
}

/* Unknown values come first. */
function compare(a, b, isText) {
	if (a === null || a === undefined || b === null || b === undefined)
		return (a === null || a === undefined ? 0 : 1) -
		       (b === null || b === undefined ? 0 : 1);
	if (isText)
		return a < b ? -1 : a > b ? 1 : 0;
	return Number(a) - Number(b);
}

function waitColumns(title, of) {
	const part = (name) => (row) => of(row) ? of(row)[name] : undefined;

	return [
		{ title: title + ': waits', type: 'count', of: part('count') },
		{ title: 'sum', type: 'time', of: part('sum_ns') },
		{ title: 'p50', type: 'time', of: part('p50_ns') },
		{ title: 'p99', type: 'time', of: part('p99_ns') },
		{ title: 'max', type: 'time', of: part('max_ns') },
	];
}

function countColumns(rows) {
	const plain = (title, type, name) => ({ title, type, of: (row) => row[name] });

	return [
		plain('run', 'time', 'run_ns'),
		plain('share', 'share', 'share'),
		plain('switches', 'count', 'switches'),
		plain('preempted', 'count', 'preempted'),
		plain('migrations', 'count', 'migrations'),
		plain('wakeups', 'count', 'wakeups'),
		...waitColumns('woken', (row) => row.woken),
		...waitColumns('preempted', (row) => row.preempted_waits),
		...waitColumns('held off', (row) => row.held_off),
		plain('unknown waits', 'count', 'unknown_waits'),
		...stolenColumns(rows),
		{ title: 'woken most often by', type: 'text', of: mainWaker },
	];
}

/* As in the text report: only if it is certain. */
function mainWaker(row) {
	const w = row.wakers[0];

	if (!w || w.count <= w.over)
		return undefined;
	return IRQ_NAMES[w.irq] ?? nameLabel(w.name, w.tid === 0 ? null : w.tid);
}

function threadsTable(report, show) {
	return new SortedTable('threads-table', 'Threads', [
		{ title: 'name', type: 'text', of: (t) => t.name },
		{ title: 'tid', type: 'id', of: (t) => t.tid },
		{ title: 'pid', type: 'id', of: (t) => t.pid },
		...countColumns(report.threads),
	], report.threads, show);
}

function namesTable(report, show) {
	return new SortedTable('names-table', 'Names', [
		{ title: 'name', type: 'text', of: (n) => n.name },
		{ title: 'processes', type: 'count', of: (n) => n.processes },
		{ title: 'threads', type: 'count', of: (n) => n.threads },
		...countColumns(report.names),
	], report.names, show);
}

function processesTable(report) {
	return new SortedTable('processes-table', 'Processes', [
		{ title: 'name', type: 'text', of: (p) => p.name },
		{ title: 'pid', type: 'id', of: (p) => p.pid },
		...parentColumns(report.processes),
		{ title: 'threads', type: 'count', of: (p) => p.threads },
		...countColumns(report.processes),
	], report.processes);
}

function cpusTable(report) {
	const lost = new Map(report.losses.streams.map((s) => [s.cpu, s]));

	return new SortedTable('cpus-table', 'CPUs', [
		{ title: 'CPU', type: 'id', of: (c) => c.cpu },
		{ title: 'busy', type: 'time', of: (c) => c.busy_ns },
		{ title: 'idle', type: 'time', of: (c) => c.idle_ns },
		...(Number(report.offline_ns) ?
			[{ title: 'offline', type: 'time', of: (c) => c.offline_ns }] : []),
		{ title: 'unknown', type: 'time', of: (c) => c.unknown_ns },
		{ title: 'switches', type: 'count', of: (c) => c.switches },
		{ title: 'longest run', type: 'time', of: (c) => c.longest_ns },
		{ title: 'from', type: 'seconds', of: (c) => c.longest_from_ns },
		{ title: 'of', type: 'text', of: (c) => c.longest_tid === null ? undefined :
			nameLabel(c.longest_name, c.longest_tid) },
		{ title: 'records lost', type: 'count', of: (c) => lost.get(c.cpu)?.lost ?? 0 },
		{ title: 'within', type: 'time', of: (c) => lost.get(c.cpu)?.gap_ns },
		...eventColumns(report),
	], report.cpus);
}

/* As in the text report; undefined if it was neither an interrupt nor an idle CPU. */
function irqLabel(w) {
	const cpu = w.waker_irq_cpu === null ? '' : ' (CPU ' + w.waker_irq_cpu + ')';

	if (w.waker_idle)
		return 'an idle CPU';
	return w.waker_irq === null ? undefined : IRQ_NAMES[w.waker_irq] + cpu;
}

/* The threads that had the CPU during a wait, with their share of it. */
function occupants(w) {
	const parts = w.occupants.map((o) =>
		(o.tid === 0 ? 'CPU idle' : nameLabel(o.name, o.tid)) + ' ' + timeLabel(Number(o.ns)) +
		' (' + Math.round(100 * Number(o.ns) / Number(w.latency_ns)) + '%)');

	if (w.interrupt && Number(w.interrupts_ns) * 10 >= Number(w.latency_ns))
		parts.push('of it interrupts ' + timeLabel(w.interrupts_ns) + ', most of that ' +
			   visible(w.interrupt));
	if (w.kind === 'held off')
		parts.push('throttled by its cgroup, or held off');
	return parts.length ? parts.join(', ') : undefined;
}

function isTrigger(w, { trigger }) {
	return Boolean(trigger) && trigger.time_ns === w.time_ns && trigger.tid === w.tid;
}

function worstTable(report, show) {
	const who = (name, tid) => (w) => w[tid] === null ? undefined :
		nameLabel(w[name], w[tid] === 0 ? null : w[tid]);

	return new SortedTable('worst-table', 'Longest waits', [
		{ title: 'latency', type: 'time', of: (w) => w.latency_ns },
		{ title: 'kind', type: 'text',
		  of: (w) => w.kind + (w.open ? ', not over' : '') +
			(isTrigger(w, report) ? ', the trigger' : '') },
		{ title: 'ended at', type: 'seconds', of: (w) => w.time_ns },
		{ title: 'CPU', type: 'text', of: (w) => w.from_cpu === w.cpu ? String(w.cpu) :
			w.from_cpu + ' → ' + w.cpu },
		{ title: 'thread', type: 'text', of: who('name', 'tid') },
		{ title: 'woken by', type: 'text',
		  of: (w) => irqLabel(w) ?? who('waker_name', 'waker_tid')(w) },
		{ title: 'on the CPU meanwhile', type: 'text', of: occupants },
	], report.worst, show);
}

function latencyTable(report) {
	const kinds = [['woken', report.woken], ['preempted', report.preempted],
		       ['held off', report.held_off]];
	const part = (title, type, name) => ({ title, type,
		of: ([, waits]) => waits ? waits[name] : undefined });

	return new SortedTable('latency-table', 'Latencies', [
		{ title: 'kind of wait', type: 'text', of: ([kind]) => kind },
		part('count', 'count', 'count'),
		part('p50', 'time', 'p50_ns'),
		part('p90', 'time', 'p90_ns'),
		part('p99', 'time', 'p99_ns'),
		part('p99.9', 'time', 'p99_9_ns'),
		part('max', 'time', 'max_ns'),
		part('at', 'seconds', 'max_time_ns'),
		part('on CPU', 'count', 'max_cpu'),
		part('sum', 'time', 'sum_ns'),
	], kinds);
}
