-- When Meta was last asked what it grants the number: once a day, as no webhook tells of every change.
alter table senders add column number_read_at timestamptz;
