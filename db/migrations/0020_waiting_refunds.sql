-- What was given back because of reports, or because none came, without an admin's look. What settling refuses to give back
-- by itself waits in the table below.
alter table daily_totals add column refunded_count integer not null default 0;
alter table daily_totals add column refunded_paise bigint not null default 0;

-- Refunds above an account's usual measure. The messages have failed, and stay charged unless an admin approves. At one
-- price, each message is worth the same, so that counts are enough, and which of them are meant does not matter.
create table waiting_refunds (
	account_id bigint not null constraint waiting_refunds_account references accounts (id),
	-- 0 for templates sent from chats.
	campaign_id bigint not null,
	price_paise integer not null constraint waiting_refunds_price check (price_paise > 0),
	reason text not null constraint waiting_refunds_reason check (reason in ('reported', 'silence')),
	waiting_count integer not null default 0 constraint waiting_refunds_waiting check (waiting_count >= 0),
	approved_count integer not null default 0 constraint waiting_refunds_approved check (approved_count >= 0),
	refused_count integer not null default 0 constraint waiting_refunds_refused check (refused_count >= 0),
	-- How often an admin has decided: a decision names the state that it was made on.
	decisions integer not null default 0,
	-- When the first and the last of those that wait now came.
	first_at timestamptz not null default now(),
	last_at timestamptz not null default now(),
	admins_notified_at timestamptz,
	constraint waiting_refunds_key primary key (account_id, campaign_id, price_paise, reason)
);
