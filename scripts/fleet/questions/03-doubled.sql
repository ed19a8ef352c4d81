-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Hosts whose p99 of the wait after a wakeup has doubled since the day before.
SELECT host, day, before_ns, p99_ns
FROM (
	SELECT host, day, quantileExact(0.99)(dur) AS p99_ns
	FROM state
	WHERE state = 'R' AND open = 0 AND load IN (SELECT load FROM segment)
	GROUP BY host, day
) INNER JOIN (
	SELECT host, day + 1 AS day, quantileExact(0.99)(dur) AS before_ns
	FROM state
	WHERE state = 'R' AND open = 0 AND load IN (SELECT load FROM segment)
	GROUP BY host, day
) USING (host, day)
WHERE p99_ns >= 2 * before_ns
ORDER BY host, day;
