-- What makes campaigns complete: audiences from files, tests, edits, retries, and reports that stay fast.

-- The group that was chosen, for a form that is filled in again.
alter table campaigns add column group_id bigint;
-- A single message to a number of the account's own.
alter table campaigns add column is_test boolean not null default false;
-- Whether its time was chosen; otherwise it was to start at once.
alter table campaigns add column is_scheduled boolean not null default false;
-- The campaign whose failed messages this one sends again.
alter table campaigns add column retry_of bigint;
-- Whether messages that WhatsApp held back are tried again later.
alter table campaigns add column retry_held_back boolean not null default false;
update campaigns set is_scheduled = opens_at > created_at + interval '1 second';

-- What the recipient was called when the campaign was created.
alter table campaign_messages add column name text;
-- How often WhatsApp has held the message back so far; null is never.
alter table campaign_messages add column held_back_count smallint;

-- How many messages of each thousand stand in each status: finds a page of the failed ones in a million without reading
-- the others, and without an index on what changes.
create table campaign_blocks (
	account_id bigint not null,
	campaign_id bigint not null,
	-- The messages numbered block * 1000 + 1 to (block + 1) * 1000.
	block integer not null,
	pending integer not null default 0,
	sent integer not null default 0,
	delivered integer not null default 0,
	read integer not null default 0,
	failed integer not null default 0,
	constraint campaign_blocks_key primary key (account_id, campaign_id, block)
) with (fillfactor = 50);
insert into campaign_blocks (account_id, campaign_id, block, pending, sent, delivered, read, failed)
select account_id, campaign_id, (seq - 1) / 1000, count(*) filter (where status = 'pending'),
	count(*) filter (where status = 'sent'), count(*) filter (where status = 'delivered'),
	count(*) filter (where status = 'read'), count(*) filter (where status = 'failed')
from campaign_messages
group by account_id, campaign_id, (seq - 1) / 1000;

-- The steps that a campaign's messages passed in each minute, for its chart.
create table campaign_minutes (
	account_id bigint not null,
	campaign_id bigint not null,
	minute timestamptz not null,
	sent integer not null default 0,
	delivered integer not null default 0,
	read integer not null default 0,
	failed integer not null default 0,
	constraint campaign_minutes_key primary key (account_id, campaign_id, minute)
) with (fillfactor = 50);
