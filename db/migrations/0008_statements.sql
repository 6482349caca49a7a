-- What the money screens read: statements, receipts, warnings of a low balance, and the money audit's last finding.

-- Counts the recharges and holds of a wallet. Between two of them what can be spent only grows and what is held only
-- shrinks, so that the charges, releases and refunds of one campaign in between may stand as one line of a statement
-- without any line's balance ever being one that was not there.
alter table wallets add column statement_part bigint not null default 0;
-- Below this its owner is warned, once per fall; 0 is never.
alter table wallets add column low_balance_paise bigint not null default 10000 check (low_balance_paise >= 0);
alter table wallets add column low_told_at timestamptz;

-- Kept by the ledger with every entry: a line per recharge and per hold, and per part one for each campaign's charges,
-- releases and refunds of a day (Indian time). A campaign to a million people has thousands of entries and a few lines.
create table statement_lines (
	account_id bigint not null references accounts (id),
	-- The first ledger entry of the line: lines in this order are lines in order of time.
	id bigint not null,
	part bigint not null,
	kind text not null,
	-- 0 for a recharge.
	campaign_id bigint not null,
	day date not null,
	available_change_paise bigint not null,
	held_change_paise bigint not null,
	-- After the first entry. It counts where a part begins; the balances after the lines that follow are added up.
	available_after_paise bigint not null,
	held_after_paise bigint not null,
	message_count integer,
	last_at timestamptz not null default now(),
	primary key (account_id, id),
	unique (account_id, part, kind, campaign_id, day)
);

with parted as (
	select e.*, (e.created_at at time zone 'Asia/Kolkata')::date as day,
		count(*) filter (where kind in ('recharge', 'hold')) over (partition by account_id order by id) as part
	from ledger_entries e
)
insert into statement_lines (
	account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
	available_after_paise, held_after_paise, message_count, last_at
)
select account_id, min(id), part, kind, coalesce(campaign_id, 0), day,
	sum(available_change_paise), sum(held_change_paise),
	(array_agg(available_after_paise order by id))[1], (array_agg(held_after_paise order by id))[1],
	sum(message_count), max(created_at)
from parted
group by account_id, part, kind, coalesce(campaign_id, 0), day;

update wallets w
set statement_part = (
	select count(*) from ledger_entries e where e.account_id = w.account_id and e.kind in ('recharge', 'hold')
);

-- The last number given in each series. Whoever takes the next one locks the row until their transaction ends, and gives
-- the number back by rolling back: that is why it is no sequence, which would leave gaps. Every machine of a
-- distributed database holds it whole.
create table receipt_counters (
	series text primary key,
	last_number bigint not null
);

-- One per recharge, with the names as they stood that day: a receipt printed in a year is the one printed today.
create table receipts (
	account_id bigint not null references accounts (id),
	-- The recharge's ledger entry.
	entry_id bigint not null,
	number bigint not null,
	payer_name text not null,
	payer_email text not null,
	admin_name text,
	issuer_name text,
	issuer_address text,
	issuer_gstin text,
	primary key (account_id, entry_id),
	unique (account_id, number),
	foreign key (account_id, entry_id) references ledger_entries (account_id, id)
);
-- An admin opens a receipt by its id alone.
create index receipts_entry on receipts (entry_id);

insert into receipts (account_id, entry_id, number, payer_name, payer_email, admin_name)
select e.account_id, e.id, row_number() over (order by e.created_at, e.id), u.name, u.email, a.name
from ledger_entries e
join users u on u.account_id = e.account_id
left join users a on a.id = e.admin_id
where e.kind = 'recharge';

insert into receipt_counters (series, last_number) select 'recharge', count(*) from receipts;

-- What the last money audits found; for operators, and for /metrics of every process.
create table money_audits (
	id bigint generated always as identity primary key,
	findings jsonb not null,
	finding_count integer not null,
	milliseconds integer not null,
	finished_at timestamptz not null default now()
);
