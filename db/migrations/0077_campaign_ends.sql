-- When the owner of an unfinished campaign was told that it will be cancelled, as its recipients are not kept any longer.
alter table campaigns add column end_announced_at timestamptz;
