-- The engine's second edition: leases instead of advisory locks, claims that a repeated statement finds again, and the
-- states of an outage.

-- The processes that send. A worker whose heartbeat is older than ten seconds holds no lease any more. The row is one
-- process's own and concerns no account: on a distributed database it stays on the coordinator.
create table workers (
	id text constraint workers_key primary key,
	started_at timestamptz not null default now(),
	heartbeat_at timestamptz not null default now()
);

-- Which worker drives the sender, and the how-manieth time the lease has changed hands.
alter table senders add column lease_worker text;
alter table senders add column lease_epoch bigint;
update senders set lease_epoch = 0;
alter table senders alter column lease_epoch set default 0;
alter table senders alter column lease_epoch set not null;
-- Why sending waits by itself at present: WhatsApp does not answer, or limits the account.
alter table senders add column waiting_reason text;
-- The latest time of sending among the messages that reports have come for: what was sent before it and was never reported
-- on was not delivered. Later than that, silence may be the webhooks' fault.
alter table senders add column reported_through timestamptz;
-- When the owner and the admins were notified that no reports arrive; null again with the next report.
alter table senders add column silence_notified_at timestamptz;

-- Paused together with its sender, and resumed together with it.
alter table campaigns add column paused_with_sender boolean;

-- The number that the header's file was uploaded from: Meta knows the file by that number alone.
alter table campaigns add column media_phone_number_id text;

-- The numbers that a sender had before, for late reports about what was sent from them.
create table former_numbers (
	account_id bigint not null,
	phone_number_id text not null,
	constraint former_numbers_key primary key (account_id, phone_number_id)
);
create index former_numbers_number on former_numbers (phone_number_id);

-- Claims are named by their worker before they are written, so that a statement whose answer was lost can be repeated.
alter table message_claims rename to message_claims_before;
create table message_claims (
	account_id bigint not null,
	lease_epoch bigint not null,
	batch integer not null,
	campaign_id bigint not null,
	worker text not null,
	-- Messages still in flight: each leaves in the transaction that settles it.
	seqs integer[] not null,
	claimed_at timestamptz not null default now(),
	constraint message_claims_key primary key (account_id, lease_epoch, batch)
);
insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs, claimed_at)
select account_id, 0, row_number() over (partition by account_id order by id), campaign_id, worker, seqs, claimed_at
from message_claims_before;
drop table message_claims_before;

-- Pending messages that were tried: either to be tried again at retry_at, or of unknown outcome since unknown_since.
alter table message_leftovers rename to unsettled_messages;
alter table unsettled_messages rename column tries to attempts;
create index unsettled_messages_retry on unsettled_messages (account_id, campaign_id, retry_at) where retry_at is not null;
create index unsettled_messages_unknown on unsettled_messages (unknown_since, account_id) where unknown_since is not null;

-- Status reports without our own id that came before the answer which names their message. Tried again a few times.
create table unmatched_reports (
	account_id bigint not null,
	wamid text not null,
	status text not null,
	report jsonb not null,
	attempts integer not null default 1,
	retry_at timestamptz not null,
	received_at timestamptz not null default now(),
	constraint unmatched_reports_key primary key (account_id, wamid, status)
);
create index unmatched_reports_due on unmatched_reports (retry_at, account_id);

-- Finds the campaigns whose time to open has come.
create index campaigns_due on campaigns (opens_at) where status = 'pending';
-- The admins' dashboard adds up a week of all accounts' refunds.
create index statement_lines_day on statement_lines (day);

-- Webhooks name a WABA where they concern all its numbers.
create index senders_waba on senders (waba_id);
