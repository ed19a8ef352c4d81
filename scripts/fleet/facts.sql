-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Moves a batch of segments from the tables of stage.sql to those of schema.sql. Run by load.sh
-- in the database of the batch. The rows of segment come last, because the other rows only count
-- with these.
--
-- When a thread exits, another one can get its id, so the next run with that id has no from_cpu.
--
-- Open rows have the duration -1, and end with their segment. An empty number in a CSV file is
-- read as 0. That is the utid of the idle thread, so it cannot be mistaken for another thread.

INSERT INTO who
SELECT n, utid, tid, thread, pid, process, cgroup, is_idle, load, host, epoch, end_ts FROM (
	SELECT n, utid, tid, name AS thread, is_idle, pid, process, cgroup FROM thread
	ANY LEFT JOIN (SELECT n, upid, pid, name AS process, cgroup FROM process) USING (n, upid)
) ANY INNER JOIN (
	SELECT n, load, host, epoch, end_ts FROM batch
	ANY INNER JOIN trace_bounds USING (n)
) USING (n);

INSERT INTO cause SELECT n, utid, ts, 0, waker_utid, irq_context FROM thread_state WHERE state = 'R';

INSERT INTO cause SELECT n, utid, ts, 1, in_utid, 0 FROM (
	SELECT n, utid, ts, toInt32OrZero(cpu) AS on_cpu FROM thread_state
	WHERE state = 'R+' AND cpu != ''
) ANY INNER JOIN (SELECT n, cpu AS on_cpu, ts, utid AS in_utid FROM sched)
	USING (n, on_cpu, ts);

INSERT INTO fxt.run
SELECT load, host, toDate(toDateTime(intDiv(at, 1000000000), 'UTC')),
	toStartOfHour(toDateTime(intDiv(at, 1000000000), 'UTC')), epoch + ts AS at,
	if(dur < 0, stop - ts, dur), cpu, from_cpu, is_idle, end_state, priority, tid, thread,
	pid, process, cgroup
FROM (
	SELECT n, utid, ts, dur, cpu, from_cpu, end_state, priority FROM (
		SELECT n, utid, groupArray(ts) AS tss, groupArray(dur) AS durs,
			groupArray(cpu) AS cpus, groupArray(end_state) AS end_states,
			groupArray(priority) AS priorities,
			arrayMap((cpu, end) -> toInt32(if(end IN ('X', 'Z'), -1, cpu)), cpus,
				end_states) AS left_cpus,
			arrayConcat([toInt32(-1)], arrayPopBack(left_cpus)) AS from_cpus
		FROM (SELECT * FROM sched ORDER BY n, utid, ts) GROUP BY n, utid
	) ARRAY JOIN tss AS ts, durs AS dur, cpus AS cpu, end_states AS end_state,
		priorities AS priority, from_cpus AS from_cpu
) ANY INNER JOIN who USING (n, utid);

INSERT INTO fxt.state
SELECT load, host, toDate(toDateTime(intDiv(begun, 1000000000), 'UTC')),
	toStartOfHour(toDateTime(intDiv(begun, 1000000000), 'UTC')), epoch + ts AS begun,
	if(dur < 0, stop - ts, dur), NOT has_end, state, if(cpu = '', -1, toInt32OrZero(cpu)), tid,
	thread, pid, process, cgroup, other_tid, other, other_cgroup, irq
FROM (
	SELECT n, ts, dur, has_end, state, cpu, other_utid, irq, tid, thread, pid, process, cgroup, load,
		host, epoch, stop
	FROM (
		SELECT n, utid, ts, dur, state, cpu, other_utid, irq,
			if(state IN ('R', 'R+'), ran, woken) AS has_end
		FROM (
			SELECT n, utid, ts, dur, state, cpu, other_utid, irq, woken, ts + dur AS until
			FROM (
				SELECT n, utid, ts, dur, state, cpu, state = 'R+' AS taken,
					if(state IN ('R', 'R+'), ts, ts + dur) AS at
				FROM thread_state WHERE state NOT IN ('Running', 'Unknown')
			) ANY LEFT JOIN (
				SELECT n, utid, at, taken, other_utid, irq, 1 AS woken FROM cause
			) USING (n, utid, at, taken)
		) ANY LEFT JOIN (SELECT n, utid, ts AS until, 1 AS ran FROM sched)
		USING (n, utid, until)
	) ANY INNER JOIN who USING (n, utid)
) ANY LEFT JOIN (
	SELECT n, utid AS other_utid, tid AS other_tid, thread AS other, cgroup AS other_cgroup
	FROM who WHERE NOT is_idle
) USING (n, other_utid);

INSERT INTO fxt.slice
SELECT load, host, toDate(toDateTime(intDiv(at, 1000000000), 'UTC')),
	toStartOfHour(toDateTime(intDiv(at, 1000000000), 'UTC')), epoch + ts AS at,
	if(dur < 0, stop - ts, dur), depth,
	if(extract(track, ' cpu ([0-9]+)$') = '', -1,
		toInt32OrZero(extract(track, ' cpu ([0-9]+)$'))),
	category, name, track, replaceRegexpOne(track, ' cpu [0-9]+$', '')
FROM (
	SELECT n, ts, dur, depth, category, name, utid FROM slice
	ANY INNER JOIN (SELECT n, id AS track_id, utid FROM thread_track) USING (n, track_id)
) ANY INNER JOIN (SELECT n, utid, thread AS track, load, host, epoch, stop FROM who)
	USING (n, utid);

-- waits and idles: the number of waiting threads, and of idle CPUs, from ts to the next ts.
INSERT INTO fxt.queued
SELECT load, host, toDate(toDateTime(intDiv(epoch + ts, 1000000000), 'UTC')) AS day,
	toStartOfHour(toDateTime(intDiv(epoch + ts, 1000000000), 'UTC')) AS hour, sum(dur),
	sum(dur * waiting)
FROM (
	SELECT n, ts, next - ts AS dur, waiting FROM (
		SELECT n, groupArray(ts) AS tss, arrayPopFront(tss) AS nexts,
			arrayPopBack(tss) AS begins,
			arrayPopBack(arrayCumSum(groupArray(wait))) AS waits,
			arrayPopBack(arrayCumSum(groupArray(idle))) AS idles
		FROM (
			SELECT n, ts, sum(wait) AS wait, sum(idle) AS idle FROM (
				SELECT n, ts, 1 AS wait, 0 AS idle FROM thread_state
				WHERE state IN ('R', 'R+') AND (dur < 0 OR dur >= 100000)
				UNION ALL
				SELECT n, ts + dur AS ts, -1 AS wait, 0 AS idle FROM thread_state
				WHERE state IN ('R', 'R+') AND dur >= 100000
				UNION ALL
				SELECT n, ts, 0 AS wait, 1 AS idle FROM sched WHERE utid = 0
				UNION ALL
				SELECT n, ts + dur AS ts, 0 AS wait, -1 AS idle FROM sched
				WHERE utid = 0 AND dur >= 0
				UNION ALL
				SELECT n, end_ts AS ts, 0 AS wait, 0 AS idle FROM trace_bounds
			) GROUP BY n, ts ORDER BY n, ts
		) GROUP BY n
	) ARRAY JOIN begins AS ts, nexts AS next, waits AS waiting, idles AS idle
	WHERE waiting > 0 AND idle > 0
) ANY INNER JOIN (SELECT n, load, host, epoch FROM batch) USING (n)
GROUP BY load, host, day, hour;

INSERT INTO fxt.segment_all
SELECT load, now(), host, boot, epoch + start_ts AS start, epoch + end_ts, seq,
	toDate(toDateTime(intDiv(start, 1000000000), 'UTC')), archive, cpus, bytes, records,
	switches, wakeups, written, lost, keys, values
FROM (
	SELECT n, start_ts, end_ts, cpus, bytes, keys, values, records, switches, wakeups,
		written, lost
	FROM (
		SELECT n, sumIf(value, name = 'fxt_records') AS records,
			sumIf(value, name = 'fxt_switches') AS switches,
			sumIf(value, name = 'fxt_wakeups') AS wakeups,
			sumIf(value, name = 'fxt_written') AS written,
			sumIf(value, name = 'fxt_lost') AS lost
		FROM stats GROUP BY n
	) ANY INNER JOIN (
		SELECT n, start_ts, end_ts, cpus, bytes, keys, values FROM (
			SELECT n, sumIf(int_value, name = 'trace_size_bytes') AS bytes,
				groupArrayIf(substring(name, 13), name != 'trace_size_bytes') AS keys,
				groupArrayIf(str_value, name != 'trace_size_bytes') AS values
			FROM metadata WHERE name = 'trace_size_bytes' OR name LIKE 'fxt\\_session\\_%'
			GROUP BY n
		) ANY INNER JOIN (
			SELECT n, start_ts, end_ts, cpus FROM trace_bounds
			ANY LEFT JOIN (SELECT n, uniqExact(cpu) AS cpus FROM sched GROUP BY n) USING (n)
		) USING (n)
	) USING (n)
) ANY INNER JOIN (SELECT n, load, host, boot, epoch, seq, archive FROM batch) USING (n);
