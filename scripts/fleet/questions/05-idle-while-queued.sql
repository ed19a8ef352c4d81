-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- CPUs idle while others queue: how long a CPU was idle while a thread waited for 100 us or
-- more, by host. share: of the recorded time.
SELECT host, idle_ns, thread_ns, idle_ns / recorded_ns AS share
FROM (
	SELECT host, sum(ns) AS idle_ns, sum(thread_ns) AS thread_ns
	FROM queued
	WHERE load IN (SELECT load FROM segment)
	GROUP BY host
) INNER JOIN (
	SELECT host, sum(stop - start) AS recorded_ns FROM segment GROUP BY host
) USING (host)
ORDER BY share DESC, host;
