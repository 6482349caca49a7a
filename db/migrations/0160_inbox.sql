-- The state of a chat: the person who has it, a row of users (null: unassigned), and the time since which it is closed (null: open).
alter table chats add column assigned_to bigint;
alter table chats add column closed_at timestamptz;
-- Open chats by their person, 0 for unassigned ones, and closed chats, both in the order of the list.
create index chats_open on chats (account_id, coalesce(assigned_to, 0), last_at, key) where closed_at is null;
create index chats_closed on chats (account_id, last_at, key) where closed_at is not null;
