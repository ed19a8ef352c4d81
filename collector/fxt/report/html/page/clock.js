// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clock.js - shows times since the start of the page, since boot (those of the archive), or as the
 * time of day. Ruler, details and tables ask here, so that they agree.
 */

const CLOCKS = {
	start: { name: 'since start', axis: 'time since start (s)' },
	boot: { name: 'since boot', axis: 'time since boot (s)' },
	utc: { name: 'UTC', axis: 'time of day, UTC' },
	local: { name: 'local time', axis: 'time of day, local' },
};

/*
 * mode: a key of CLOCKS; base: archive time in ns where the report starts; page: where the timeline
 * starts; epoch: ns since 1970 at the archive's time 0
 */
const clock = { mode: 'start', base: 0n, page: 0n, epoch: 0n };

/* Hours to seconds. The day is in the title of the page's ruler. */
function dayTime(ns, decimals, isLocal) {
	const date = new Date(Number(ns / 1000000n)), part = (name) =>
		String(date['get' + (isLocal ? '' : 'UTC') + name]()).padStart(2, '0');
	const digits = String(ns % 1000000000n).padStart(9, '0').slice(0, decimals);

	return [part('Hours'), part('Minutes'), part('Seconds')].join(':') +
		(decimals ? '.' + digits : '');
}

/* Truncated, not rounded, so that all digits are exact. */
function secondsText(ns, decimals) {
	const digits = String(ns < 0n ? -ns : ns).padStart(10, '0');

	return (ns < 0n ? '-' : '') + digits.slice(0, -9) +
		(decimals ? '.' + digits.slice(-9).slice(0, decimals) : '');
}

/* Exact ns, also as a string of digits, as seconds with nine decimals. */
function secondsLabel(ns) {
	return secondsText(BigInt(ns), 9) + ' s';
}

/* A time of the archive in ns, a BigInt. */
function clockLabel(ns, decimals = 9) {
	if (clock.mode === 'utc' || clock.mode === 'local')
		return dayTime(clock.epoch + ns, decimals, clock.mode === 'local');
	return secondsText(clock.mode === 'start' ? ns - clock.base : ns, decimals);
}

/* Parse a time: ns since the start of the timeline, which ends at @end, or NaN. */
function timeOf(text, end) {
	const [, hours, minutes, seconds, digits = ''] = text.match(/^(?:(\d+):(\d+):)?(\d+)(?:\.(\d*))?$/) ?? [];
	const isDay = ['utc', 'local'].includes(clock.mode), ns = BigInt(Math.round((seconds + '.' + digits) * 1e9) || 0);
	const day = new Date(Number((clock.epoch + clock.page) / 1000000n));

	if (!seconds || isDay !== Boolean(hours))
		return NaN;
	day[clock.mode === 'utc' ? 'setUTCHours' : 'setHours'](hours ?? 0, minutes ?? 0, 0, 0);
	const time = Number(ns - clock.page + (isDay ? BigInt(day.getTime()) * 1000000n - clock.epoch :
		clock.mode === 'start' ? clock.base : 0n)), later = time + 86400e9;

	return isDay && time < 0 && later <= end ? later : time;	/* after midnight */
}

/* ns since the start of the timeline as the clock shows them, with the unit. */
function startLabel(ns, decimals = 9) {
	return clockLabel(clock.page + BigInt(Math.round(ns)), decimals) + clockUnit();
}

/* Seconds have a unit, times of day have a zone. */
function clockUnit() {
	return { utc: ' UTC', local: '' }[clock.mode] ?? ' s';
}

/* Prepare the menu of clocks; changed() is called after each choice, also after a stored one. */
function startClock(data, changed) {
	const select = byId('clock'), has = (mode) => data.epoch || mode === 'start' ||
		mode === 'boot';
	const wanted = stored('clock');

	clock.epoch = data.epoch;
	select.replaceChildren(...options(Object.entries(CLOCKS).filter(([mode]) => has(mode))
		.map(([mode, { name }]) => [mode, name])));
	if (CLOCKS[wanted] && has(wanted)) {
		clock.mode = select.value = wanted;
		changed();
	}
	on(select, 'change', ({ detail }) => {
		clock.mode = select.value;
		if (detail !== 'address')
			stored('clock', clock.mode);
		changed();
	});
}
