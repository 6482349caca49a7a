-- A campaign of a test key. Its recipients are rows of test_messages with its id as their order.
create table test_campaigns (
	account_id bigint not null,
	id bigint not null,
	state text not null,
	-- Its name, template, price and counts of people left out, as the rehearsal of its creation read them.
	facts json not null,
	opens_at timestamptz not null,
	-- The steps of its messages are due from this time.
	begins_at timestamptz not null,
	-- Webhooks were told that it is completed.
	is_told boolean not null default false,
	created_at timestamptz not null,
	constraint test_campaigns_key primary key (account_id, id),
	constraint test_campaigns_state check (state in ('draft', 'pending', 'paused', 'cancelled'))
);

create index test_campaigns_waiting on test_campaigns (account_id, begins_at) where not is_told and state = 'pending';

-- The recipient's name, and the code with which the message fails.
alter table test_messages add column name text;
alter table test_messages add column error_code integer;
update test_messages set error_code = 131026 where number = '447700900999';
