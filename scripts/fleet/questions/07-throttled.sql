-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Throttled cgroups: how often and how long a quota held them off a CPU, by host.
SELECT host, what AS cgroup, count(*) AS times, sum(dur) AS throttled_ns, max(dur) AS longest_ns
FROM slice
WHERE name = 'throttled' AND load IN (SELECT load FROM segment)
GROUP BY host, cgroup
ORDER BY throttled_ns DESC, host, cgroup
LIMIT 20;
