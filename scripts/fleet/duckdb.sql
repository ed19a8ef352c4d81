-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The tables of schema.sql on one machine: DuckDB, over the Parquet files of
--
--     fxt convert --to parquet --partition -o DIR FILE
--
-- Run by duckdb.js, which replaces @DIR@. A segment counts once, even if it is there twice.

CREATE MACRO read(name) AS TABLE
	SELECT *, host || '/' || date || '/' || archive AS load
	FROM read_parquet('@DIR@/*/*/*/' || name || '.parquet', hive_partitioning = true,
		hive_types_autocast = false);
CREATE MACRO time_of(ns) AS make_timestamp(ns // 1000);
-- quantileExact(0.99)() of ClickHouse.
CREATE MACRO p99(x) AS quantile_disc(x, 0.99);

CREATE TABLE segment AS
SELECT * EXCLUDE (nth) FROM (
	SELECT m.*, epoch + start_ts AS start, epoch + end_ts AS stop,
		time_of(epoch + start_ts)::DATE AS day, coalesce(cpus, 0) AS cpus, records,
		switches, wakeups, written, lost, end_ts,
		row_number() OVER (PARTITION BY m.host, boot, epoch + start_ts, seq
				   ORDER BY m.load) AS nth
	FROM (
		SELECT load, any_value(archive) AS archive,
			max(int_value) FILTER (name = 'trace_size_bytes') AS bytes,
			max(str_value) FILTER (name = 'fxt_session_host') AS host,
			coalesce(max(str_value) FILTER (name = 'fxt_session_boot'), '') AS boot,
			max(str_value) FILTER (name = 'fxt_session_epoch')::BIGINT AS epoch,
			coalesce(max(str_value) FILTER (name IN ('fxt_session_segment',
				'fxt_session_snapshot')), '0')::BIGINT AS seq
		FROM read('metadata') GROUP BY load
	) m
	JOIN (SELECT load, start_ts, end_ts FROM read('trace_bounds')) b ON b.load = m.load
	JOIN (
		SELECT load, sum(value) FILTER (name = 'fxt_records') AS records,
			sum(value) FILTER (name = 'fxt_switches') AS switches,
			sum(value) FILTER (name = 'fxt_wakeups') AS wakeups,
			coalesce(sum(value) FILTER (name = 'fxt_written'), 0) AS written,
			coalesce(sum(value) FILTER (name = 'fxt_lost'), 0) AS lost
		FROM read('stats') GROUP BY load
	) s ON s.load = m.load
	LEFT JOIN (
		SELECT load, count(DISTINCT cpu) AS cpus FROM read('sched') GROUP BY load
	) c ON c.load = m.load
) WHERE nth = 1;

-- Threads, with all columns that the rows of other tables repeat.
CREATE TABLE who AS
SELECT t.load, utid, tid, coalesce(t.name, '') AS thread, coalesce(pid, 0) AS pid,
	coalesce(p.name, '') AS process, coalesce(cgroup, '') AS cgroup, is_idle AS idle,
	segment.host, epoch, segment.end_ts
FROM read('thread') t JOIN segment ON segment.load = t.load
LEFT JOIN read('process') p ON p.load = t.load AND p.upid = t.upid;

CREATE TABLE run AS
SELECT load, host, time_of(epoch + ts)::DATE AS day, date_trunc('hour', time_of(epoch + ts)) AS hour,
	epoch + ts AS ts, CASE WHEN dur < 0 THEN end_ts - ts ELSE dur END AS dur, cpu,
	coalesce(lag(CASE WHEN end_state IN ('X', 'Z') THEN -1 ELSE cpu END)
		OVER (PARTITION BY load, utid ORDER BY ts), -1) AS from_cpu, idle,
	coalesce(end_state, '') AS end_state, priority, tid, thread, pid, process, cgroup
FROM (SELECT * EXCLUDE (host, date, archive) FROM read('sched')) JOIN who USING (load, utid);

CREATE TABLE state AS
SELECT s.load, w.host, time_of(w.epoch + s.ts)::DATE AS day,
	date_trunc('hour', time_of(w.epoch + s.ts)) AS hour, w.epoch + s.ts AS ts,
	CASE WHEN s.dur < 0 THEN w.end_ts - s.ts ELSE s.dur END AS dur, (s.ran IS NULL)::INT AS open,
	s.state, coalesce(s.cpu, -1) AS cpu, w.tid, w.thread, w.pid, w.process, w.cgroup,
	coalesce(o.tid, 0) AS other_tid, coalesce(o.thread, '') AS other,
	coalesce(o.cgroup, '') AS other_cgroup, coalesce(s.irq, 0) AS irq
FROM (
	SELECT s.load, s.utid, s.ts, s.dur, s.state, s.cpu, wakeup.irq_context AS irq,
		coalesce(taker.utid, wakeup.waker_utid) AS other_utid,
		CASE WHEN s.state IN ('R', 'R+') THEN next.utid ELSE wakeup.utid END AS ran
	FROM (
		SELECT load, utid, ts, dur, state, cpu, ts + dur AS until,
			CASE state WHEN 'R' THEN ts WHEN 'R+' THEN NULL ELSE ts + dur END AS woken_at,
			CASE state WHEN 'R+' THEN ts END AS taken_at
		FROM read('thread_state') WHERE state NOT IN ('Running', 'Unknown')
	) s
	LEFT JOIN (SELECT * FROM read('thread_state') WHERE state = 'R') wakeup
		ON wakeup.load = s.load AND wakeup.utid = s.utid AND wakeup.ts = s.woken_at
	LEFT JOIN read('sched') taker
		ON taker.load = s.load AND taker.cpu = s.cpu AND taker.ts = s.taken_at
	LEFT JOIN read('sched') next
		ON next.load = s.load AND next.utid = s.utid AND next.ts = s.until
) s
JOIN who w ON w.load = s.load AND w.utid = s.utid
LEFT JOIN who o ON o.load = s.load AND o.utid = s.other_utid AND o.idle = 0;

CREATE TABLE slice AS
SELECT s.load, w.host, time_of(epoch + s.ts)::DATE AS day,
	date_trunc('hour', time_of(epoch + s.ts)) AS hour, epoch + s.ts AS ts,
	CASE WHEN dur < 0 THEN end_ts - s.ts ELSE dur END AS dur, depth,
	coalesce(nullif(regexp_extract(thread, ' cpu ([0-9]+)$', 1), '')::INT, -1) AS cpu,
	category, s.name, thread AS track, regexp_replace(thread, ' cpu [0-9]+$', '') AS what
FROM read('slice') s
JOIN read('thread_track') t ON t.load = s.load AND t.id = s.track_id
JOIN who w ON w.load = s.load AND w.utid = t.utid;

CREATE TABLE queued AS
WITH edges AS (
	SELECT load, ts, 1 AS wait, 0 AS idle FROM read('thread_state')
	WHERE state IN ('R', 'R+') AND (dur < 0 OR dur >= 100000)
	UNION ALL
	SELECT load, ts + dur, -1, 0 FROM read('thread_state')
	WHERE state IN ('R', 'R+') AND dur >= 100000
	UNION ALL SELECT load, ts, 0, 1 FROM read('sched') WHERE utid = 0
	UNION ALL SELECT load, ts + dur, 0, -1 FROM read('sched') WHERE utid = 0 AND dur >= 0
	UNION ALL SELECT load, end_ts, 0, 0 FROM segment
), levels AS (
	SELECT load, ts, lead(ts) OVER w - ts AS dur, sum(wait) OVER w AS waiting,
		sum(idle) OVER w AS idle
	FROM (SELECT load, ts, sum(wait) AS wait, sum(idle) AS idle FROM edges GROUP BY load, ts)
	WINDOW w AS (PARTITION BY load ORDER BY ts)
)
SELECT load, host, time_of(epoch + ts)::DATE AS day, date_trunc('hour', time_of(epoch + ts)) AS hour,
	sum(dur) AS ns, sum(dur * waiting) AS thread_ns
FROM levels JOIN (SELECT load, host, epoch FROM segment) USING (load)
WHERE waiting > 0 AND idle > 0 AND dur IS NOT NULL
GROUP BY ALL;
