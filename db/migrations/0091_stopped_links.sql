-- When an administrator stopped the account's counted links, and the reason that its owner reads; null while they lead on.
alter table users add column links_stopped_at timestamptz;
alter table users add column links_stopped_reason text;
