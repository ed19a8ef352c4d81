-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The longest sleeps that ended, and who ended them. irq: an interrupt did.
SELECT host, ts, dur AS slept_ns, state, thread, tid, other AS waker, irq
FROM state
WHERE state NOT IN ('R', 'R+') AND open = 0 AND load IN (SELECT load FROM segment)
ORDER BY slept_ns DESC, host, ts
LIMIT 20;
