-- How shop.db was made: sqlite3 shop.db < shop.sql
PRAGMA page_size = 512;
CREATE TABLE job_runs (run_id TEXT PRIMARY KEY, job TEXT, user_id TEXT, state TEXT, started_at TEXT, finished_at TEXT);
INSERT INTO job_runs VALUES
  ('run-61', 'grant_welcome_bonus', 'u-31', 'done', '2026-04-20 09:00:00', '2026-04-20 09:00:02'),
  ('run-62', 'grant_welcome_bonus', 'u-31', 'done', '2026-04-20 09:04:10', '2026-04-20 09:04:11'),
  ('run-63', 'grant_welcome_bonus', 'u-32', 'done', '2026-04-20 09:10:00', '2026-04-20 09:10:01'),
  ('run-64', 'grant_welcome_bonus', 'u-33', 'done', '2026-04-20 09:20:00', '2026-04-20 09:20:01'),
  ('run-65', 'grant_welcome_bonus', 'u-33', 'done', '2026-04-20 09:23:40', '2026-04-20 09:23:41'),
  ('run-66', 'grant_welcome_bonus', 'u-34', 'done', '2026-04-20 09:30:00', '2026-04-20 09:30:01');
CREATE TABLE balance_movements (id INTEGER PRIMARY KEY, user_id TEXT, change_cents INTEGER, currency TEXT, reason TEXT,
                                reference TEXT, undoes INTEGER, created_at TEXT);
INSERT INTO balance_movements VALUES
  (1, 'u-31', 1000, 'USD', 'welcome_bonus', 'welcome:u-31', NULL, '2026-04-20 09:00:01'),
  (2, 'u-31', 1000, 'USD', 'welcome_bonus', 'welcome:u-31', NULL, '2026-04-20 09:04:11'),
  (3, 'u-32', 1000, 'USD', 'welcome_bonus', 'welcome:u-32', NULL, '2026-04-20 09:10:01'),
  (4, 'u-33', 1000, 'USD', 'welcome_bonus', 'welcome:u-33', NULL, '2026-04-20 09:20:01'),
  (5, 'u-33', 1000, 'USD', 'welcome_bonus', 'welcome:u-33', NULL, '2026-04-20 09:23:41'),
  (6, 'u-33', -1000, 'USD', 'clawback', 'welcome:u-33', 5, '2026-04-20 11:00:00'),
  (7, 'u-31', -450, 'USD', 'purchase', 'order:881', NULL, '2026-04-20 12:00:00'),
  (8, 'u-35', 1000, 'USD', 'welcome_bonus', 'welcome:u-35', NULL, '2026-04-20 13:00:00');
