-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Migrations: how often threads of a name ran on another CPU than before, by host.
--
-- A move from one segment to the next is not counted.
SELECT host, thread, sum(CASE WHEN from_cpu >= 0 AND from_cpu != cpu THEN 1 ELSE 0 END) AS migrations,
	count(*) AS runs
FROM run
WHERE idle = 0 AND load IN (SELECT load FROM segment)
GROUP BY host, thread
HAVING migrations > 0
ORDER BY migrations DESC, host, thread
LIMIT 20;
