-- WhatsApp lets a business portfolio start conversations with a number of people in 24 hours. A portfolio may have several
-- accounts, so both tables belong to no account: on a distributed database the coordinator alone has them. Only portfolios with
-- a known limit have rows.

-- The row's lock serializes the claims of a portfolio's accounts. `people` counts the different persons of its messages.
create table portfolios (
	portfolio text not null,
	people integer not null default 0,
	constraint portfolios_key primary key (portfolio),
	constraint portfolios_people check (people >= 0)
);

-- Campaign messages of the last day that were claimed outside the recipient's open conversation. `person` is a hash of the
-- number. A message that certainly was not accepted is removed at once, others a day after their claim.
create table portfolio_messages (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	portfolio text not null,
	person bigint not null,
	counted_at timestamptz not null,
	constraint portfolio_messages_key primary key (account_id, campaign_id, seq)
);
create index portfolio_messages_person on portfolio_messages (portfolio, person);
create index portfolio_messages_counted on portfolio_messages (portfolio, counted_at);

-- `engaged`: recipients who read, replied or clicked lately come first. Null: the order of the list.
alter table campaigns add column recipient_order text;
-- The hour in India from which the campaign continues on each day after its first.
alter table campaigns add column daily_start time;
-- Set while messages of the campaign wait for the limit: when the next of them can be sent, when they were last looked at, and
-- the limit at that time.
alter table campaigns add column limit_waits_until timestamptz;
alter table campaigns add column limit_looked_at timestamptz;
alter table campaigns add column limit_waited_for integer;
create index campaigns_limit_waits on campaigns (limit_waits_until) where limit_waits_until is not null;
