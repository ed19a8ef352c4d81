// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * event_tables.js - tables of interrupts, work items, system calls and the like, and what tables
 * of CPUs and threads have of them.
 *
 * In: the report. Sections that the report has nothing for stay hidden.
 */
'use strict';

/* Shows a section of the page that only recordings with such events have. */
function showSection(name) {
	for (const e of document.querySelectorAll('[data-if="' + name + '"]'))
		e.hidden = false;
}

/** interruptsTable() - the interrupts of the report, if it has any */
function interruptsTable(report) {
	if (!report.interrupts)
		return;
	showSection('interrupts');
	return new SortedTable('interrupts-table', 'Interrupts', [
		{ title: 'name', type: 'text', of: (s) => s.name },
		{ title: 'kind', type: 'text', of: (s) => EVENT_KINDS[s.kind] },
		{ title: 'number', type: 'id', of: (s) => s.number },
		{ title: 'count', type: 'count', of: (s) => s.count },
		{ title: 'took', type: 'time', of: (s) => s.total_ns },
		{ title: 'longest', type: 'time', of: (s) => s.longest_ns },
		{ title: 'took most from', type: 'text', of: (s) => s.most_tid === null ? undefined :
			nameLabel(s.most_name, Number(s.most_tid) ? s.most_tid : null) },
		{ title: 'how much', type: 'time', of: (s) => s.most_ns },
	], report.interrupts);
}

/** workTable() - the work items of the report, if it has any */
function workTable(report) {
	if (!report.work_items)
		return;
	showSection('work');
	return new SortedTable('work-table', 'Work items', [
		{ title: 'function', type: 'text', of: (s) => s.name },
		{ title: 'count', type: 'count', of: (s) => s.count },
		{ title: 'took', type: 'time', of: (s) => s.total_ns },
		{ title: 'longest', type: 'time', of: (s) => s.longest_ns },
	], report.work_items);
}

/** callsTable() - the system calls of the report, if it has any */
function callsTable(report) {
	if (!report.system_calls)
		return;
	showSection('calls');
	return new SortedTable('calls-table', 'System calls', [
		{ title: 'name', type: 'text', of: (s) => s.name },
		{ title: 'count', type: 'count', of: (s) => s.count },
		{ title: 'errors', type: 'count', of: (s) => s.errors },
		{ title: 'time', type: 'time', of: (s) => s.total_ns },
		{ title: 'mean', type: 'time', of: (s) => s.count ? s.total_ns / s.count : null },
		{ title: 'longest', type: 'time', of: (s) => s.longest_ns },
	], report.system_calls);
}

/** throttledTable() - the throttled cgroups of the report, if it has any */
function throttledTable(report) {
	if (!report.throttled_cgroups)
		return;
	showSection('throttled');
	return new SortedTable('throttled-table', 'Throttled cgroups', [
		{ title: 'cgroup', type: 'text', of: (s) => s.name },
		{ title: 'periods', type: 'count', of: (s) => s.periods },
		{ title: 'throttled', type: 'time', of: (s) => s.throttled_ns },
		{ title: 'longest', type: 'time', of: (s) => s.longest_ns },
		{ title: 'on all CPUs', type: 'time', of: (s) => s.total_ns },
	], report.throttled_cgroups);
}

/** ipisTable() - the interrupts that CPUs sent to others, if the report has any */
function ipisTable(report) {
	if (!report.ipis)
		return;
	showSection('ipis');
	return new SortedTable('ipis-table', 'Interrupts sent', [
		{ title: 'function', type: 'text', of: (s) => s.name },
		{ title: 'from CPU', type: 'count', of: (s) => s.from_cpu },
		{ title: 'to CPU', type: 'count', of: (s) => s.to_cpu },
		{ title: 'count', type: 'count', of: (s) => s.count },
	], report.ipis);
}

/** endsTable() - threads that ended with a code or by a signal, if the report has any */
function endsTable(report) {
	if (!report.exits)
		return;
	showSection('ends');
	return new SortedTable('ends-table', 'Failed threads', [
		{ title: 'name', type: 'text', of: (s) => s.name },
		{ title: 'count', type: 'count', of: (s) => s.count },
		{ title: 'ended with', type: 'text', of: (s) => !s.signal ? 'code ' + s.code :
			'signal ' + s.signal + (s.signal_name ? ' (' + s.signal_name + ')' : '') },
	], report.exits.failed);
}

/** eventColumns() - further columns of the table of CPUs */
function eventColumns(report) {
	const columns = [], cpu = report.cpus[0] ?? {};

	if (cpu.hard_irq_ns !== undefined)
		columns.push({ title: 'interrupts', type: 'time', of: (c) => c.hard_irq_ns },
			     { title: 'soft interrupts', type: 'time', of: (c) => c.soft_irq_ns });
	if (cpu.idle_state_ns !== undefined)
		columns.push({ title: 'idle states', type: 'time', of: (c) => c.idle_state_ns });
	if (cpu.frequency !== undefined)
		columns.push({ title: 'average MHz', type: 'count', of: (c) => c.frequency ?
			Math.round(c.frequency.average_khz / 1000) : null });
	if (cpu.run_queue !== undefined)
		columns.push({ title: 'longest queue', type: 'count', of: (c) => c.run_queue ?
			c.run_queue.longest : null },
			     { title: 'queue above 1', type: 'time', of: (c) => c.run_queue ?
			c.run_queue.above_one_ns : null });
	return columns;
}

/** stolenColumns() - further columns of the tables of threads */
function stolenColumns(rows) {
	const columns = [], row = rows[0] ?? {};

	if (row.stolen_ns !== undefined)
		columns.push({ title: 'interrupted', type: 'time', of: (t) => t.stolen_ns });
	if (row.moves !== undefined)
		columns.push({ title: 'moved', type: 'count', of: (t) => t.moves });
	if (row.calls !== undefined)
		columns.push({ title: 'system calls', type: 'count', of: (t) => t.calls },
			     { title: 'in these', type: 'time', of: (t) => t.in_calls_ns });
	return columns;
}
