-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Lost records by host: what is missing from all other answers.
SELECT host, count(*) AS segments, sum(switches) AS all_switches,
	sum(written) AS records, sum(lost) AS lost_records, sum(lost) / sum(written) AS share
FROM segment
GROUP BY host
ORDER BY lost_records DESC, host;
