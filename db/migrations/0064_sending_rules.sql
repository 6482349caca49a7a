-- What an account asks of its campaigns: how much marketing one person gets, and when nothing is sent. No row is no rule.
create table sending_rules (
	account_id bigint not null,
	-- At most so many marketing messages to one number in so many days.
	max_messages smallint,
	in_days smallint,
	-- Indian time; from ten in the evening until nine in the morning is over midnight.
	quiet_from time,
	quiet_until time,
	constraint sending_rules_pkey primary key (account_id)
);

-- Left out as they had got enough marketing.
alter table campaigns add column capped_count integer not null default 0;

-- Which campaigns may have sent something in the last days.
create index campaigns_finished on campaigns (account_id, finished_at);
