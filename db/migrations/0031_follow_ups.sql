-- What WhatsApp held back is sent again by a campaign of its own, so that each campaign's books are final.

-- When the recipients whom WhatsApp held back are sent to again; null once that is done, and while there are none.
alter table campaigns add column follow_up_at timestamptz;
-- 0 for a campaign that a person ordered; its follow-up has 1, that one's follow-up 2.
alter table campaigns add column follow_up_number smallint not null default 0;
create index campaigns_follow_up on campaigns (follow_up_at) where status = 'completed' and follow_up_at is not null;
-- Finds what sends a campaign's failed messages again.
create index campaigns_retries on campaigns (account_id, retry_of) where retry_of is not null;

-- Messages that wait inside their campaign, since WhatsApp held them back, have failed from now on, and their price is
-- released. Those of cancelled campaigns are left to the sweep that ends them; what is in flight is settled as ever.
create view held_back_messages as
select m.account_id, m.campaign_id, m.seq, c.price_paise, u.retry_at
from unsettled_messages u
join campaigns c on c.account_id = u.account_id and c.id = u.campaign_id and c.status not in ('cancelled', 'failed')
join campaign_messages m on m.account_id = u.account_id and m.campaign_id = u.campaign_id and m.seq = u.seq
where u.retry_at is not null and m.status = 'pending' and m.held_back_count > 0;

insert into ledger_entries (
	account_id, kind, reference, available_change_paise, held_change_paise,
	available_after_paise, held_after_paise, campaign_id, message_count
)
select w.account_id, 'release', 'release:' || r.campaign_id || ':held-back', r.paise, -r.paise,
	w.available_paise + sum(r.paise) over (partition by w.account_id order by r.campaign_id),
	w.held_paise - sum(r.paise) over (partition by w.account_id order by r.campaign_id), r.campaign_id, r.messages
from (
	select account_id, campaign_id, count(*) as messages, sum(price_paise) as paise
	from held_back_messages where price_paise > 0 group by account_id, campaign_id
) r
join wallets w on w.account_id = r.account_id
order by w.account_id, r.campaign_id;

insert into statement_lines as l (
	account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
	available_after_paise, held_after_paise, message_count
)
select e.account_id, e.id, w.statement_part, e.kind, e.campaign_id, (now() at time zone 'Asia/Kolkata')::date,
	e.available_change_paise, e.held_change_paise, e.available_after_paise, e.held_after_paise, e.message_count
from (select distinct account_id, campaign_id from held_back_messages) h
join ledger_entries e on e.account_id = h.account_id and e.reference = 'release:' || h.campaign_id || ':held-back'
join wallets w on w.account_id = h.account_id
on conflict (account_id, part, kind, campaign_id, day) do update
set available_change_paise = l.available_change_paise + excluded.available_change_paise,
	held_change_paise = l.held_change_paise + excluded.held_change_paise,
	message_count = l.message_count + excluded.message_count, last_at = excluded.last_at;

update wallets w
set available_paise = w.available_paise + r.paise, held_paise = w.held_paise - r.paise,
	low_notified_at = case when w.available_paise + r.paise < w.low_balance_paise then w.low_notified_at end
from (select account_id, sum(price_paise) as paise from held_back_messages group by account_id) r
where w.account_id = r.account_id;

update campaign_blocks b set pending = b.pending - r.messages, failed = b.failed + r.messages
from (
	select account_id, campaign_id, (seq - 1) / 1000 as block, count(*) as messages
	from held_back_messages group by account_id, campaign_id, (seq - 1) / 1000
) r
where b.account_id = r.account_id and b.campaign_id = r.campaign_id and b.block = r.block;

insert into campaign_failures as f (account_id, campaign_id, error_code, error, message_count)
select account_id, campaign_id, 131049, 'Held back by WhatsApp', count(*)
from held_back_messages group by account_id, campaign_id
on conflict (account_id, campaign_id, error_code) do update set message_count = f.message_count + excluded.message_count;

insert into campaign_minutes as t (account_id, campaign_id, minute, failed)
select account_id, campaign_id, date_trunc('minute', now()), count(*)
from held_back_messages group by account_id, campaign_id
on conflict (account_id, campaign_id, minute) do update set failed = t.failed + excluded.failed;

insert into daily_totals as t (account_id, day, failed)
select account_id, (now() at time zone 'Asia/Kolkata')::date, count(*) from held_back_messages group by account_id
on conflict (account_id, day) do update set failed = t.failed + excluded.failed;

-- Each is followed up when the first of its messages would have been tried again. One that this completes while it is paused
-- is not: what its owner has stopped does not go on by itself.
update campaigns c
set pending_count = c.pending_count - r.messages, failed_count = c.failed_count + r.messages, updated_at = now(),
	status = case when c.pending_count = r.messages then 'completed' else c.status end,
	status_reason = case when c.pending_count = r.messages and c.status = 'paused' then null else c.status_reason end,
	follow_up_at = case when c.status <> 'paused' or c.pending_count > r.messages then r.first_at end
from (
	select account_id, campaign_id, count(*) as messages, min(retry_at) as first_at
	from held_back_messages group by account_id, campaign_id
) r
where c.account_id = r.account_id and c.id = r.campaign_id;
update campaigns set finished_at = now() where status = 'completed' and finished_at is null;

update campaign_messages m
set status = 'failed', status_at = now(), error_code = 131049, error = 'Held back by WhatsApp'
from held_back_messages h
where m.account_id = h.account_id and m.campaign_id = h.campaign_id and m.seq = h.seq;

delete from unsettled_messages u using campaign_messages m
where m.account_id = u.account_id and m.campaign_id = u.campaign_id and m.seq = u.seq and m.status <> 'pending';

drop view held_back_messages;
alter table campaign_messages drop column held_back_count;
