-- A database that is restored from a backup goes on from an earlier point: campaigns and chat messages made since then are
-- gone, and their ids are given again. Each history of a database is an epoch, which the ids that we send name. A closed one
-- says which ids it shares with the ones after it. Kept by the coordinator alone.
create table epochs (
	epoch text constraint epochs_key primary key,
	opened_at timestamptz not null default now(),
	-- Whether it began with a restored database.
	is_restored boolean not null default false,
	-- The latest ids that a restored database knew; null while it is open.
	last_campaign_id bigint,
	last_chat_message_id bigint
);
-- Of what was sent before ids named an epoch, or is by processes of an earlier release.
insert into epochs (epoch) values ('');
insert into epochs (epoch, opened_at) values (substr(md5(gen_random_uuid()::text), 1, 8), now() + interval '1 millisecond');

-- Set while its owner has not said how many of its messages were sent since the backup.
alter table campaigns add column restored_at timestamptz;
