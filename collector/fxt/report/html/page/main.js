// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.js - reads the data in the page and builds all of it. The tables come first, because they
 * need the report only; then the timeline, whose data has to be unpacked.
 */

/* --- the head of the page -------------------------------------------------------------------- */

function tellSummary(report) {
	const length = BigInt(report.to_ns) - BigInt(report.from_ns);
	const busy = Number(report.busy_ns), idle = Number(report.idle_ns);
	const offline = Number(report.offline_ns), unknown = Number(report.unknown_ns);
	const all = Number(length) * report.cpus_counted;

	byId('title').textContent = document.title = visible(report.file);
	byId('summary').textContent = secondsLabel(length > 0n ? length : 0n) + ' on ' +
		plural(report.cpus_counted, 'CPU') + ', ' +
		countLabel(report.switches_counted) + ' switches, ' +
		countLabel(report.threads_counted) + ' threads of ' +
		countLabel(report.processes_counted) + ' processes' +
		(all > 0 ? ', CPUs busy ' + shareLabel(busy / all) + ', idle ' +
			   shareLabel(idle / all) +
			   (offline ? ', offline ' + shareLabel(offline / all) : '') +
			   ', unknown ' + shareLabel(unknown / all) : '');
	byId('summary').title = byId('summary').textContent;
}

/* Show a notice at the top of the page; without a text, hide it. */
function showNotice(id, text) {
	byId(id).textContent = text;
	byId(id).hidden = !text;
}

function tellLosses(report) {
	const { losses } = report, parts = [];

	if (losses.damaged)
		parts.push('Damaged: deviations from the format: ' + countLabel(losses.deviations) +
			   ', contradictions: ' + countLabel(losses.contradictions) + '; ' +
			   countLabel(losses.skipped_records) + ' records and ' +
			   countLabel(losses.skipped_bytes) + ' bytes cannot be read; ' +
			   'all below may be wrong, so there are no findings; see fxt check');
	if (losses.truncated)
		parts.push('Truncated: the end of the recording is missing');
	if (losses.filtered)
		parts.push('Filtered: ' + visible(losses.filtered));
	if (Number(losses.lost))
		parts.push(countLabel(losses.lost) + ' of ' + countLabel(losses.written) +
			   ' records lost: ' + losses.streams.map((s) => 'CPU ' + s.cpu + ' ' +
			   countLabel(s.lost) + (s.gap_ns ? ' within ' + timeLabel(s.gap_ns) :
						 ' at times that are not known')).join(', '));
	if (Number(losses.lost_names))
		parts.push(countLabel(losses.lost_names) + ' names lost');
	if (!losses.told)
		parts.push('The archive does not record losses' + (Number(losses.buffer_full) ?
			'; buffers were full ' + countLabel(losses.buffer_full) + ' times' : ''));
	showNotice('losses', parts.length ? '⚠ ' + parts.join('. ') + '.' : '');
}

/*
 * Prepare a page without scheduling: its timeline has slices and counters, and is hidden if there
 * are none.
 */
function tellSlices({ slices }) {
	const counts = [[slices.slices, 'slice'], [slices.async_slices, 'asynchronous slice'],
			[slices.counters.length, 'counter'], [slices.instants, 'instant event']];

	byId('summary').textContent = 'No scheduling: ' + (counts.filter(([n]) => n)
		.map(([n, what]) => plural(n, what)).join(', ') || 'nothing to show');
	CLOCKS.boot = { name: 'in the trace', axis: 'time in the trace (s)' };
	if (!slices.threads.length && !slices.async_slices && !slices.counters.length)
		document.body.classList.add('only-tables');
	for (const tab of ['findings', 'latency', 'blame'])
		byId('tab-' + tab).hidden = true;
	byId('findings-list').replaceChildren();
}

function triggerLabel(trigger) {
	const until = ', until ' + secondsLabel(trigger.time_ns) + '.';
	const took = timeLabel(trigger.latency_ns);

	if (trigger.cause === 'latency')
		return nameLabel(trigger.name, trigger.tid) + ' waited ' + took + ' for CPU ' +
			trigger.cpu + (trigger.open ? ', and was still waiting at ' : ', until ') +
			secondsLabel(trigger.time_ns) + '.';
	if (trigger.cause === 'runnable')
		return trigger.runnable + ' threads were runnable on CPU ' + trigger.cpu + ' at ' +
			secondsLabel(trigger.time_ns) + ', while ' +
			nameLabel(trigger.name, trigger.tid) + ' ran.';
	if (trigger.cause === 'blocked' || trigger.cause === 'sleep')
		return nameLabel(trigger.name, trigger.tid) + ' slept ' + took +
			(trigger.cause === 'blocked' ? ' in D' : '') +
			(trigger.open ? ', and still slept at ' : ', until ') +
			secondsLabel(trigger.time_ns) + '.';
	if (trigger.cause === 'lock')
		return nameLabel(trigger.name, trigger.tid) + ' waited ' + took + ' for a lock' + until;
	return 'a ' + (trigger.cause === 'irq' ? 'hard' : 'soft') + ' interrupt took ' + took +
		' of CPU ' + trigger.cpu + until;
}

/* Quote a word for a shell. */
function shellWord(text) {
	return /^[\w./:+-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
}

/* A time since the start of the report, as options have it: rounded down. */
function partTime(report, ns) {
	return '+' + secondsText(BigInt(report.from_ns) - BigInt(report.first_ns) + ns, 6);
}

/* Say which part of a very large recording the timeline has, and how to see another one. */
function tellPart(data, report) {
	byId('part').hidden = !data.isPart;
	if (!data.isPart)
		return;
	const all = BigInt(report.to_ns) - BigInt(report.from_ns), length = BigInt(Math.round(data.end));
	const into = data.base - BigInt(report.from_ns);

	byId('part').append('The timeline shows ' + timeLabel(data.end) + ' of ' + timeLabel(all) +
		(into ? ', from ' + secondsText(into, 6) + ' s on' : ' from the start') +
		'; tables and findings cover everything. ' +
		(into + length < all ? 'The next part: ' : 'The first part: '), element('code',
		'fxt report --html part.html --slices ' + data.most + ' --slices-from ' +
		partTime(report, into + length < all ? into + length : 0n) + ' ' + shellWord(report.file)));
}

/* Draw the legend: each state with its pattern and height. */
function drawLegend(timeline) {
	const names = { ...KIND_NAMES, [SLEEPING]: 'sleeping, idle', [OTHER]: 'stopped' };

	delete names[DEAD];
	if (!timeline.data.cpus.length)
		return;
	byId('legend').replaceChildren(...Object.entries(names).map(([kind, name]) => {
		const canvas = element('canvas');
		const high = Math.max(SLEEP_PIXELS, Math.round(14 * KIND_HEIGHT[kind]));

		box(hiDpi(canvas, 22, 14), timeline.theme.fills[kind], 0, 14 - high, 22, high);
		return element('li', [canvas, name]);
	}), element('li', 'CPUs: colour = process, shade = thread'));
}

/* --- the page as a whole ----------------------------------------------------------------- */

function tellView(timeline) {
	const { from, to } = timeline.view;

	byId('window').textContent = 'In view: ' + timeLabel(to - from) + ' from ' + startLabel(from);
}

/* Prepare the menu's choices of groups, order and hidden threads. */
function startArranging(timeline) {
	const named = (choices) => options(Object.entries(choices).map(([value, { name }]) => [value, name]));
	const arrange = () => timeline.changeRows((model) =>
		model.arrange(byId('grouping').value, byId('order').value));

	byId('grouping').append(...named(GROUPINGS).filter(({ value }) =>
		value !== 'cgroup' || timeline.data.threads.some((t) => t?.cgroup)));
	byId('order').append(...named(ORDERS));
	for (const id of ['grouping', 'order'])
		on(id, 'change', arrange);
	on('close-all', 'click', () => timeline.changeRows((model) => model.toggleAll()));
	on('show-hidden', 'click', () => {
		timeline.changeRows((model) => model.hidden.clear());
		timeline.onTell();
	});
}

/* Prepare the menu's choice of rows. */
function startRowMenu(timeline) {
	const obey = (box, show) => on(box, 'change', () =>
		timeline.changeRows((model) => show(model, box.checked)));

	obey(byId('active'), (model, isOn) => (timeline.isOnlyActive = isOn));
	obey(byId('charts'), (model, isOn) => (model.hasCharts = isOn));
	obey(byId('events'), (model, isOn) => (model.hasEvents = isOn));
	byId('event-rows').append(...timeline.model.events.labels().map((text) => {
		const box = element('input', [], { type: 'checkbox', checked: '' });

		obey(box, ({ events }) => flip(events.hidden, text));
		return element('label', [box, ' ' + text]);
	}));
	for (const e of document.querySelectorAll('[data-if="events"]'))
		e.hidden = !timeline.data.events.count;
}

/* The name of a choice of threads; count: number of threads that the report covers. */
function scopeLabel({ command, threads_counted: all }, isAll, count) {
	return isAll ? 'All ' + plural(all, 'thread') : plural(count, 'thread') +
		(command ? ' of ' + nameLabel(command.name, command.pid) : ', as selected');
}

/* Prepare the choice of threads that the page covers; changed() gets the chosen report. */
function startScope(timeline, reports, changed) {
	const select = byId('scope');

	select.hidden = reports.length < 2;
	select.append(...options(reports.map(({ report }, i) => [i ? 'all' : '',
		scopeLabel(report, i === reports.length - 1, timeline.data.threadsOfReport)])));
	on(select, 'change', () => {
		const chosen = reports[select.selectedIndex];

		tellReport(chosen);
		setScope(timeline.data, select.selectedIndex > 0);
		timeline.changeRows((model) => model.setReport(chosen.report));
		changed(chosen.report);
		timeline.onTell();
	});
}

/* The event that was clicked, the range, or the selected span. */
function tellWhat(timeline) {
	const hidden = timeline.model.hidden.size;

	byId('show-hidden').hidden = !hidden;
	byId('show-hidden').textContent = 'Show ' + plural(hidden, 'hidden thread');
	if (timeline.event >= 0)
		showDetails([], eventDetails(timeline, timeline.event), []);
	else if (timeline.range && timeline.selected < 0)
		tellRange(timeline, timeline.range);
	else
		tellSelected(timeline, timeline.selected);
}

function connect(timeline, reports) {
	const overview = new Overview(timeline), heat = fxtPage.heat = new HeatMap(timeline);
	const histogram = new Histogram(timeline, reports[0].report), pointer = new Pointer(timeline);
	const flame = fxtPage.flame = startFlame(timeline), blamed = new BlameTable(timeline);
	const drawAll = () => {
		timeline.themeChanged();
		drawLegend(timeline);
		histogram.draw();
		heat.draw();
		blamed.changed();
	};

	const address = new Address(timeline);

	on('picture', 'click', () => savePicture(timeline));
	on('panel-tables', 'shown', () => address.changed());
	fxtPage.tabs.onShow = () => {
		fillShown();
		drawAll();
		address.changed();
	};
	new Keys(timeline, pointer, new Search(timeline));
	timeline.onTell = () => {
		tellWhat(timeline);
		flame?.viewChanged();
		blamed.changed();
		address.isTold = true;
		address.changed();
	};
	timeline.onPick = () => fxtPage.tabs.show('details');
	timeline.onView = () => {
		overview.draw();
		pointer.changed();
		heat.viewChanged();
		flame?.viewChanged();
		blamed.changed();
		tellView(timeline);
		address.changed();
	};
	startScope(timeline, reports, (report) => {
		histogram.setReport(report);
		heat.rows = 0;
		flame?.setGroups();
		if (byId('search').value)
			byId('search').dispatchEvent(new Event('input'));
		drawAll();
	});
	startArranging(timeline);
	startRowMenu(timeline);
	on('whole', 'click', () => timeline.showAll());
	new ResizeObserver(() => timeline.resize()).observe(timeline.scroller);
	new ResizeObserver(drawAll).observe(byId('panels'));
	timeline.onTell();
	startClock(timeline.data, () => {
		for (const table of Object.values(fxtPage.tables))
			table.fill();
		timeline.onTell();
		timeline.schedule();
	});
	drawAll();
	return { drawAll, address };
}

/* For the console, and for tests. */
const fxtPage = { timeline: null, flame: null, heat: null, tabs: null, tables: {} };

window.fxtPage = fxtPage;

/* Read a report and the list of its tables; suffix: of the names of its blocks. */
async function readReports(suffix) {
	return { report: await readReport('report' + suffix),
		 listed: await unpackedJson('tables' + suffix) };
}

/* Make the rows of the visible table that are on the screen. */
function fillShown() {
	fxtPage.tables[shownTable()]?.scrolled();
}

/* Show a report, except its timeline. */
function tellReport({ report, listed }) {
	tellSummary(report);
	tellFindings(report, () => fxtPage.timeline);
	fxtPage.tables = reportTables(report, listed, (key, link) => {
		const show = ROW_LINKS[link] ?? ROW_LINKS[key];

		return show && ((row) => fxtPage.timeline && show(fxtPage.timeline, row));
	});
}

async function start() {
	let redraw = () => {};

	startTheme(() => redraw());
	const reports = [await readReports('')], [{ report }] = reports;

	fxtPage.tabs = new Tabs();
	fxtPage.tabs.onShow = fillShown;
	on('tables', 'scroll', fillShown);
	startPrinting(() => redraw());
	if (!report.scheduling)
		Object.assign(report, { from_ns: report.slices.first_ns, to_ns: report.slices.last_ns,
					threads_counted: report.slices.threads.length });
	clock.base = clock.page = BigInt(report.from_ns);
	tellReport(reports[0]);
	if (!report.scheduling)
		tellSlices(report);
	tellLosses(report);
	fxtPage.tabs.show(fxtPage.tabs.first);
	showNotice('trigger', report.trigger ? 'Trigger: ' + triggerLabel(report.trigger) : '');
	new Pane();
	startMenus();
	on('help', 'click', () => byId('keys').showModal());
	if (document.body.matches('.only-tables'))
		return;
	/* The data of the timeline follows the scripts and may take long to load. */
	if (document.readyState === 'loading')
		await new Promise((resolve) => on(document, 'DOMContentLoaded', resolve));
	if (byId('fxt-report-all'))
		reports.push(await readReports('-all'));
	const data = await readTimeline(report);

	clock.page = data.base;
	tellPart(data, report);
	if (data.undrawn)
		byId('summary').append('; too many: ' + countLabel(data.undrawn) + ' are not drawn');
	addTracks(data);
	addColours(data);
	fxtPage.timeline = new Timeline(data, report);
	const { drawAll, address } = connect(fxtPage.timeline, reports);

	redraw = drawAll;
	if (!(location.hash && address.apply()) && report.trigger?.cause === 'latency')
		fitWait(fxtPage.timeline, report.trigger);
}

start().then(() => {
	performance.mark('fxt-drawn');
	document.documentElement.dataset.state = 'drawn';
}).catch((error) => {
	tellProblem('The timeline cannot be shown: ' + error.message +
		    '; if the file is truncated, run fxt report --html again.');
	console.error(error);
});
