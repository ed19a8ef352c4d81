-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Worst run-queue latency: the longest that a thread waited for a CPU, by host and hour.
--
-- who: that thread. cause: the thread that woke it (kind R), or that took its CPU (R+).
-- Waits that the end of a segment cuts are not in it.
SELECT host, hour, max(dur) AS worst_ns, argMax(thread, dur) AS who, argMax(state, dur) AS kind,
	argMax(other, dur) AS cause
FROM state
WHERE state IN ('R', 'R+') AND open = 0 AND load IN (SELECT load FROM segment)
GROUP BY host, hour
ORDER BY host, hour;
