-- Accounts whose messages of the last day are still to be counted under WhatsApp's limit, since they were sent before the limit
-- or its portfolio was known. Messages up to `seq` of the campaign `campaign_id`, and of campaigns before it, are counted
-- already. Like portfolios, the rows belong to no account's machine.
create table uncounted_accounts (
	account_id bigint not null,
	portfolio text not null,
	campaign_id bigint not null default 0,
	seq integer not null default 0,
	constraint uncounted_accounts_key primary key (account_id)
);
create index uncounted_accounts_portfolio on uncounted_accounts (portfolio);

-- The portfolio that a WABA turned out to belong to. The row of the WABA counts no people from then on.
alter table portfolios add column moved_to text;

-- Claims list the senders of a portfolio.
create index senders_portfolio on senders (portfolio_id) where portfolio_id is not null;
