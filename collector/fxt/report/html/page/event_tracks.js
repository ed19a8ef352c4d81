// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * event_tracks.js - tracks of events: slices, moments, and values of counters.
 *
 * In: events, and which of them are in a row. Out: what a click finds, and rectangles.
 */
'use strict';

const MOMENT_PIXELS = 2, MOMENT_LABEL = 40;

/**
 * class EventTrack - slices of one row, in order of time
 *
 * Those inside others are left out, and none begins before the one before it ends: slices of a
 * throttled cgroup overlap between CPUs.
 */
class EventTrack extends Track {
	constructor(events, index) {
		const kept = new Uint32Array(index.length), from = new Float64Array(index.length);
		const to = new Float64Array(index.length);
		let n = 0;

		for (const i of index) {
			const begin = events.from[i];

			while (n && events.from[kept[n - 1]] >= begin && to[n - 1] > begin)
				n--;
			from[n] = n ? Math.max(begin, to[n - 1]) : begin;
			to[n] = events.to[i];
			kept[n++] = i;
		}
		super(from.subarray(0, n), to.subarray(0, n), new Uint8Array(n));
		this.index = kept.subarray(0, n);
	}

	span(position) {
		return this.index[position];
	}

	paint(painter, y, height, look) {
		painter.paint(this, y, height, look);
	}
}

/** class MomentTrack - events without a duration; those of one pixel are one stroke */
class MomentTrack extends EventTrack {
	paint(painter, y, height, look) {
		let i = atLeast(0, this.count, (n) => this.from[n] >= painter.from);

		while (i < this.count && this.from[i] < painter.to) {
			const x = Math.floor(painter.pixel(this.from[i])), span = this.span(i);
			const end = painter.time(x + 1);
			const next = atLeast(i + 1, this.count, (n) => this.from[n] >= end);
			const room = (next < this.count ? painter.pixel(this.from[next]) :
				      painter.width) - x - MOMENT_PIXELS;

			painter.rectangles.add(look.styleOf(span), painter.x + x, y, MOMENT_PIXELS,
					       height);
			if (next === i + 1 && room > MOMENT_LABEL)
				painter.rectangles.label(look.labelOf(span),
							 painter.x + x + MOMENT_PIXELS + 4,
							 y + height / 2, room - 8, false);
			i = next;
		}
	}
}

/** class CounterTrack - a value over time: the height of a pixel is its average there */
class CounterTrack extends EventTrack {
	constructor(events, index) {
		super(events, index);
		this.value = Float64Array.from(this.index, (i) => events.first[i]);
		this.sumBefore = new Float64Array(this.count + 1);
		for (let i = 0; i < this.count; i++)
			this.sumBefore[i + 1] = this.sumBefore[i] +
				this.value[i] * (this.to[i] - this.from[i]);
	}

	/** integral() - of the value, up to a time */
	integral(time) {
		const i = this.firstEndingAfter(time);
		const part = i < this.count ? Math.max(0, time - this.from[i]) * this.value[i] : 0;

		return this.sumBefore[i] + part;
	}

	paint(painter, y, height, look) {
		const full = look.fullOf(this.index[0]);
		let before = this.integral(painter.from);

		for (let x = 0; x < painter.width; x++) {
			const sum = this.integral(painter.time(x + 1));
			const high = (sum - before) * painter.scale / full * height;

			before = sum;
			if (high > 0.05)
				painter.rectangles.add(look.denseStyle(), painter.x + x,
						       y + height - Math.max(1, high), 1,
						       Math.max(1, high));
		}
		this.label(painter, y, height, look);
	}

	/* Values that last long enough are told in words. */
	label(painter, y, height, look) {
		let i = this.firstEndingAfter(painter.from);

		while (i < this.count && this.from[i] < painter.to) {
			const x = Math.max(0, painter.pixel(this.from[i]));
			const room = Math.min(painter.width, painter.pixel(this.to[i])) - x;

			if (room > MOMENT_LABEL)
				painter.rectangles.label(look.labelOf(this.span(i)),
							 painter.x + x + 4, y + height / 2,
							 room - 8, false);
			/* At most one for each pixel. */
			i = Math.max(i + 1, this.firstEndingAfter(painter.time(x + 1), i));
		}
	}
}
