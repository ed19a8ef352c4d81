-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Who preempts whom across the fleet, and how long the preempted threads then wait.
SELECT thread, other, count(*) AS preemptions, sum(dur) AS waited_ns, count(DISTINCT host) AS hosts
FROM state
WHERE state = 'R+' AND load IN (SELECT load FROM segment)
GROUP BY thread, other
ORDER BY waited_ns DESC, thread, other
LIMIT 20;
