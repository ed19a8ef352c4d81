-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Noisy cgroups: how long threads of other cgroups waited, on all hosts, after threads of this
-- one had preempted them.
SELECT other_cgroup AS noisy, cgroup AS victim, count(*) AS preemptions, sum(dur) AS waited_ns,
	count(DISTINCT host) AS hosts
FROM state
WHERE state = 'R+' AND cgroup != other_cgroup AND other_cgroup != ''
	AND load IN (SELECT load FROM segment)
GROUP BY noisy, victim
ORDER BY waited_ns DESC, noisy, victim
LIMIT 20;
