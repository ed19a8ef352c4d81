-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Interrupts: how often each came, how long it took, and its share of the time of all CPUs.
--
-- A soft interrupt's time includes hard interrupts that came meanwhile.
SELECT host, category, name, interrupts, took_ns, longest_ns, took_ns / cpu_ns AS share
FROM (
	SELECT host, category, name, count(*) AS interrupts, sum(dur) AS took_ns,
		max(dur) AS longest_ns
	FROM slice
	WHERE category IN ('irq', 'softirq') AND load IN (SELECT load FROM segment)
	GROUP BY host, category, name
) INNER JOIN (
	SELECT host, sum((stop - start) * cpus) AS cpu_ns FROM segment GROUP BY host
) USING (host)
ORDER BY share DESC, host, category, name
LIMIT 20;
