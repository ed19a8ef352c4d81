// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tables.js - the tables of the report; a click on a head sorts.
 *
 * In: lists of the report's JSON; fxt-tables, which says what tables and columns there are. Out:
 * sections with tables. Each cell has the exact number of the report in data-value, and shows a
 * rounded one.
 */

const MOST_ROWS = 100;		/* that exist at the same time */
const PRINTED_ROWS = 30;
const ROWS_ABOVE = 30;		/* of them above the screen */

/* Columns by which the report sorts, if the rows are in that order. */
const SORTED_BY = ['run_ns', 'latency_ns', 'total_ns', 'sum_ns', 'sleep_ns', 'ns', 'count', 'cpu'];

const named = (name, id) => id === null || id === undefined ? undefined :
	nameLabel(name, Number(id) ? id : null);

/*
 * The types of columns in fxt-tables (report/html/html.c). show: how a value is shown; of: the
 * value in a row, if it is not the one at the column's key; isText: aligned left, sorted by letters.
 */
const TYPES = {
	count: { show: countLabel },
	number: { show: (value) => value === null ? '' : String(value) },
	time: { show: timeLabel },
	share: { show: (value) => value === null ? '' : shareLabel(value) },
	average: { show: (value) => value === null ? '' : value.toFixed(2) },
	mhz: { show: countLabel, of: (row, key) => {
		const khz = valueAt(row, key);

		return khz === undefined ? undefined : Math.round(khz / 1000);
	} },
	mean: { show: timeLabel, of: (row) => row.count ? row.total_ns / row.count : null },
	seconds: { show: (ns) => ns === null ? '' : clockLabel(BigInt(ns)) },
	id: { show: (value) => value === null || value === undefined ? '?' : String(value) },
	flag: { show: (value) => value ? 'yes' : '' },
	text: { isText: true },
	event: { isText: true, of: (row, key) => EVENT_KINDS[row[key]] },
	kind: { isText: true, of: (row, key, report) => row[key] + (row.open ? ', not over' : '') +
		(isTrigger(row, report) ? ', the trigger' : '') },
	thread: { isText: true, of: (row, key) => named(row[key + 'name'], row[key + 'tid']) },
	parent: { isText: true, of: (row) => named(row.parent_name, row.parent_pid) },
	wakers: { isText: true, of: mainWaker },
	waker: { isText: true, of: (row) => irqLabel(row) ?? named(row.waker_name, row.waker_tid) },
	cpus: { isText: true, of: (row) => row.cpu === null || row.from_cpu === row.cpu ?
		String(row.from_cpu) : row.from_cpu + ' → ' + row.cpu },
	occupants: { isText: true, of: occupants },
	sender: { isText: true, of: (row) => row.by_irq ? 'an interrupt' :
		named(row.sender_name, row.sender_tid) },
	ending: { isText: true, of: (row) => !row.signal ? 'code ' + row.code :
		'signal ' + row.signal + (row.signal_name ? ' (' + row.signal_name + ')' : '') },
	lost: { show: countLabel, of: (row, key, report) => lossOf(row, report)?.[key] ?? 0 },
	'lost time': { show: timeLabel, of: (row, key, report) => lossOf(row, report)?.[key] },
};

const showText = (value) => visible(String(value ?? '?'));

/* The value at keys with dots between; undefined if an object on the way there is null. */
function valueAt(row, key) {
	return key.split('.').reduce((value, part) => value?.[part], row);
}

/**
 * class SortedTable - one table; columns: { key, title, type, of: (row) => value }
 *
 * Only rows near the screen exist; margins are as high as the others.
 */
class SortedTable {
	constructor(place, label, columns, rows, onRow) {
		this.place = place;
		this.label = label;
		this.columns = columns;
		this.rows = rows;
		this.shown = rows;
		this.onRow = onRow;
		this.sorted = null;
		this.made = new Map();	/* elements by row */
		this.first = this.high = 0;
		this.build();
	}

	build() {
		const copy = button('Copy as CSV', () => copyText(tableCsv(this.columns, this.shown), copy),
				    { class: 'copy' });

		this.heads = this.columns.map((column, i) =>
			element('th', [button(column.title, () => this.sort(i))],
				TYPES[column.type].isText ? { scope: 'col', class: 'text' } : { scope: 'col' }));
		this.body = element('tbody');
		this.table = element('table', [element('thead', [element('tr', this.heads)]), this.body],
				     { 'aria-label': this.label, style: '--columns: ' + this.columns.length });
		this.place.replaceChildren(this.table, copy);
		this.fill();
	}

	/** fill() - makes the rows again */
	fill() {
		this.table.setAttribute('aria-rowcount', this.shown.length + 1);
		this.made.clear();
		this.body.replaceChildren();
		this.scrolled();
	}

	/** scrolled() - shows the rows that are on the screen now; paper has the first ones */
	scrolled() {
		if (byId('printed').hasChildNodes()) {
			this.show(0, PRINTED_ROWS);
			return;
		}
		const scroller = this.place.closest('#tables, .panel').getBoundingClientRect();
		const past = scroller.top - this.table.getBoundingClientRect().top + this.first * this.high;
		const at = this.high ? Math.floor(past / this.high) - ROWS_ABOVE : 0;

		this.show(Math.max(0, Math.min(at, this.shown.length - MOST_ROWS)), MOST_ROWS);
	}

	show(first, most) {
		const rows = new Set(this.shown.slice(first, first + most));
		let i = first, next;

		for (const [row, tr] of this.made) {
			if (!rows.has(row)) {
				tr.remove();
				this.made.delete(row);
			}
		}
		next = this.body.firstChild;
		/* Rows that stay are not moved, because one may have the focus. */
		for (const row of rows) {
			if (!this.made.has(row))
				this.made.set(row, this.row(row, i));
			if (this.made.get(row) === next)
				next = next.nextSibling;
			else
				this.body.insertBefore(this.made.get(row), next);
			i++;
		}
		this.place.dataset.rest = i < this.shown.length ? 'and ' +
			plural(this.shown.length - i, 'more row') : '';
		this.first = first;
		this.high = this.body.offsetHeight / rows.size || this.high;
		this.table.style.margin = first * this.high + 'px 0 ' +
			Math.max(0, this.shown.length - i) * this.high + 'px';
		/* Columns do not become narrower while they scroll. */
		if (this.shown.length > MOST_ROWS)
			this.heads.map((th) => th.offsetWidth).forEach((wide, i) => {
				this.heads[i].style.minWidth = wide + 'px';
			});
	}

	row(row, i) {
		const tr = element('tr', this.columns.map((column) => {
			const value = column.of(row);
			const { isText, show = showText } = TYPES[column.type];
			const shown = value === undefined ? '' : show(value);

			return element('td', shown, { 'data-value': JSON.stringify(value ?? null),
				...isText ? { class: 'text', title: shown } : {} });
		}), { 'aria-rowindex': i + 2 });

		if (this.onRow) {
			tr.className = 'link';
			tr.tabIndex = 0;
			on(tr, 'click', () => this.onRow(row));
			on(tr, 'keydown', (event) => {
				if (event.key === 'Enter')
					this.onRow(row);
			});
		}
		return tr;
	}

	/** sort() - sorts by a column: largest numbers or first letters first, then reversed */
	sort(column) {
		const isUp = this.sorted?.column === column ? !this.sorted.isUp : this.isUp(column);

		this.rows = this.rows.slice().sort((a, b) => this.order(column, isUp, a, b));
		this.mark(column, isUp);
		this.filter(this.wanted || (() => true));
	}

	/* Is a column sorted upwards at first? */
	isUp(column) {
		const { type } = this.columns[column];

		return Boolean(TYPES[type].isText) || type === 'id';
	}

	order(column, isUp, a, b) {
		const { of, type } = this.columns[column];

		return (isUp ? 1 : -1) * compare(of(a), of(b), TYPES[type].isText);
	}

	/* Mark the column by which the rows are sorted; -1: none. */
	mark(column, isUp) {
		this.sorted = { column, isUp };
		this.heads.forEach((th, i) => {
			th.removeAttribute('aria-sort');
			th.firstChild.textContent = this.columns[i].title +
				(i === column ? isUp ? ' ▲' : ' ▼' : '');
		});
		this.heads[column]?.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
	}

	/** markFirst() - marks the first of some columns by which the rows are sorted */
	markFirst(keys) {
		const column = keys.map((key) => this.columns.findIndex((of) => of.key === key)).find((at) =>
			at >= 0 && this.rows.length > 1 && this.rows.every((row, i) => !i ||
				this.order(at, this.isUp(at), this.rows[i - 1], row) <= 0)) ?? -1;

		this.mark(column, column >= 0 && this.isUp(column));
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
	if ((a ?? null) === null || (b ?? null) === null)
		return Number((a ?? null) !== null) - Number((b ?? null) !== null);
	if (isText)
		return a < b ? -1 : a > b ? 1 : 0;
	return Number(a) - Number(b);
}

/* The waker with the largest count, if the count is certain, as in the text report. */
function mainWaker(row) {
	const w = row.wakers[0];

	if (!w || w.count <= w.over)
		return undefined;
	return IRQ_NAMES[w.irq] ?? nameLabel(w.name, w.tid === 0 ? null : w.tid);
}

/* The interrupt or idle CPU that woke, as in the text report, or undefined. */
function irqLabel(w) {
	const cpu = w.waker_irq_cpu === null ? '' : ' (CPU ' + w.waker_irq_cpu + ')';

	if (w.waker_idle)
		return 'an idle CPU';
	return w.waker_irq === null ? undefined : IRQ_NAMES[w.waker_irq] + cpu;
}

/* The threads that had the CPU during a wait, with their share of it. */
function occupants(w) {
	const parts = w.occupants.map((o) =>
		(o.tid === 0 ? 'CPU idle' :
			o.threads > 1 ? visible(o.name) + ', ' + countLabel(o.threads) + ' threads' :
			nameLabel(o.name, o.tid)) + ' ' + timeLabel(Number(o.ns)) +
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

/* The records that a CPU has lost, if any. */
function lossOf(row, { losses }) {
	return losses.streams.find((s) => s.cpu === row.cpu);
}

/*
 * The rows of a table: the elements of a list, the known members of an object with their keys, or
 * the objects with their titles.
 */
function rowsOf(report, { path, objects }) {
	if (objects)
		return objects.map(({ key, title }) => ({ key: title, ...report[key] }));

	const list = valueAt(report, path);

	return Array.isArray(list) ? list : Object.entries(list)
		.filter(([, row]) => row !== null && typeof row === 'object')
		.map(([key, row]) => ({ key, ...row }));
}

/*
 * The columns that have a value in some row; all, if there are no rows or the rows are fixed
 * objects.
 */
function columnsOf(report, table, rows) {
	const columns = table.columns.map(({ key, title, type }) => {
		const { of } = TYPES[type];

		return { key, title, type, of: (row) => of ? of(row, key, report) : valueAt(row, key) };
	});

	return columns.filter(({ of }) => !rows.length || table.objects ||
			      rows.some((row) => (of(row) ?? null) !== null));
}

/** shownTable() - the key of the table that is shown */
function shownTable() {
	return byId('parts').querySelector('[aria-current="true"]')?.dataset.key ?? '';
}

/** showTable() - shows one table of the tab, by its key, if there is one */
function showTable(key) {
	if (![...byId('parts').children].some((button) => button.dataset.key === key))
		return;
	for (const section of byId('tables').children)
		section.hidden = section.id !== key;
	for (const button of byId('parts').children)
		button.setAttribute('aria-current', String(button.dataset.key === key));
	byId('tables').scrollTop = 0;
}

/* The element for a table: the page's place for it, or a new section in the tab of tables. */
function placeOf(table) {
	const { key, title, hint } = table, own = byId(key + '-table');

	if (own)
		return own;

	const place = element('div', [], { id: key + '-table' });

	byId('tables').append(element('section', [
		element('h2', title, { id: key + '-title' }),
		...hint ? [element('p', hint, { class: 'hint' })] : [],
		place,
	], { id: key, 'aria-labelledby': key + '-title' }));
	byId('parts').append(button(title, () => {
		showTable(key);
		byId('panel-tables').dispatchEvent(new Event('shown'));
	}, { 'data-key': key }));
	return place;
}

/**
 * reportTables() - makes the tables in @listed (fxt-tables) that have rows. linkOf: (key of a
 * table, its link) => function for a click on a row, or undefined. Return: the tables by key
 */
function reportTables(report, listed, linkOf) {
	const tables = {}, shown = shownTable();

	byId('parts').replaceChildren();
	byId('tables').replaceChildren();
	for (const table of listed) {
		const rows = rowsOf(report, table);

		if (!rows.length && !(table.always && report.scheduling))
			continue;
		tables[table.key] = new SortedTable(placeOf(table), table.title,
			columnsOf(report, table, rows), rows, linkOf(table.key, table.link));
		tables[table.key].markFirst([report.sort, ...SORTED_BY]);
	}
	showTable(tables[shown] ? shown : Object.keys(tables)[0]);
	return tables;
}
