-- Campaigns and their messages. The message rows are the sending queue itself.

-- In the order in which a status rises: see STATUS_ORDER in the campaigns' rules.
create type message_status as enum ('pending', 'sent', 'failed', 'delivered', 'read');

create table campaigns (
	account_id bigint not null references accounts (id),
	id bigint generated always as identity,
	name text not null,
	description text,
	status text not null check (status in ('pending', 'processing', 'paused', 'completed', 'cancelled', 'failed')),
	-- Why it is paused or failed, in words for its owner.
	status_reason text,
	-- The template as it was at creation: {name, language, category, components}; price and variables likewise.
	template jsonb not null,
	header_file text,
	variables jsonb not null default '{}',
	-- Which merge tags the variables use; each message's merge_values are in this order.
	merge_tags text[] not null default '{}',
	audience_type text not null check (audience_type in ('all', 'group', 'file')),
	audience_name text,
	price_paise integer not null check (price_paise >= 0),
	total_count integer not null default 0,
	-- Kept by settling, never counted: how many messages stand in each status now.
	pending_count integer not null default 0 check (pending_count >= 0),
	sent_count integer not null default 0 check (sent_count >= 0),
	delivered_count integer not null default 0 check (delivered_count >= 0),
	read_count integer not null default 0 check (read_count >= 0),
	failed_count integer not null default 0 check (failed_count >= 0),
	-- Messages confirmed only after their hold was given back, when the wallet could no longer pay for them.
	waived_count integer not null default 0 check (waived_count >= 0),
	-- Every message up to this seq has been claimed for sending once.
	claimed_through integer not null default 0,
	-- The header file as Meta knows it: uploaded once per campaign, valid for 30 days.
	media_id text,
	media_uploaded_at timestamptz,
	-- Made by the form once, so that a repeated request finds the campaign instead of creating another.
	request_id text,
	opens_at timestamptz not null default now(),
	started_at timestamptz,
	finished_at timestamptz,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null default now(),
	primary key (account_id, id),
	unique (account_id, request_id)
) with (fillfactor = 50);
-- Lets any worker see at a glance which accounts have work: a campaign leaves it when its last message is settled.
create index campaigns_open on campaigns (account_id, id) where finished_at is null;

-- One row per recipient, numbered 1..total_count within the campaign, so that a page of them or the next ones to send
-- are found by number alone. Room is left in each page, and nothing that changes later is indexed, so that the
-- updates of a message's life stay within its page. No foreign key either: it would be checked a million times for
-- one campaign that the same statement has just written.
create table campaign_messages (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	number text not null,
	status message_status not null default 'pending',
	-- Accepted, but held back by Meta until it has judged the template's quality.
	held_for_quality boolean not null default false,
	error_code integer,
	merge_values text[],
	wamid text,
	error text,
	sent_at timestamptz,
	status_at timestamptz,
	primary key (account_id, campaign_id, seq)
) with (fillfactor = 45);
-- Finds a message by its recipient when a status comes without our own id.
create index campaign_messages_number on campaign_messages (account_id, number);

-- Messages on the wire now, as one row per batch. A row that outlives its worker says which messages may have gone out.
create table message_claims (
	account_id bigint not null,
	id bigint generated always as identity,
	campaign_id bigint not null,
	worker text not null,
	seqs integer[] not null,
	claimed_at timestamptz not null default now(),
	primary key (account_id, id)
);

-- Pending messages that were tried: either to be tried again at retry_at, or of unknown outcome since unknown_since.
create table message_leftovers (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	tries integer not null default 1,
	retry_at timestamptz,
	unknown_since timestamptz,
	primary key (account_id, campaign_id, seq),
	check ((retry_at is null) <> (unknown_since is null))
);

-- How many of a campaign's messages failed for each reason; kept by settling, as counting would read them all.
create table campaign_failures (
	account_id bigint not null,
	campaign_id bigint not null,
	error_code integer not null,
	error text not null,
	message_count integer not null,
	primary key (account_id, campaign_id, error_code)
);

-- What happened on each day (Indian time), for the dashboards.
create table daily_totals (
	account_id bigint not null references accounts (id),
	day date not null,
	sent integer not null default 0,
	delivered integer not null default 0,
	read integer not null default 0,
	failed integer not null default 0,
	spent_paise bigint not null default 0,
	primary key (account_id, day)
);
