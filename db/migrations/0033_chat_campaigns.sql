-- A template that is sent from a chat is a campaign of one message, so that claims, settling, refunds and expiry exist once.
-- The chat's message names its campaign, whose message has the status; its own status is that of what costs nothing.
alter table chat_messages add column campaign_id bigint;
alter table chat_messages alter column status drop not null;

-- The campaigns of templates sent so far, found again by their request id. Their messages were sent, so that what is pending
-- is of unknown outcome; of the template itself, only what the chat shows was kept.
insert into campaigns (
	account_id, name, status, kind, template, audience_type, audience_name, price_paise, request_id, total_count,
	pending_count, sent_count, delivered_count, read_count, failed_count, claimed_through,
	opens_at, started_at, finished_at, created_at, updated_at
)
select account_id, 'Template', case when status = 'pending' then 'processing' else 'completed' end, 'chat',
	jsonb_build_object(
		'name', '', 'language', '', 'category', coalesce(body ->> 'category', 'UTILITY'),
		'components', coalesce(body -> 'components', '[]')
	),
	'file', 'Chat', price_paise, 'chat:' || id, 1,
	(status = 'pending')::int, (status = 'sent')::int, (status = 'delivered')::int, (status = 'read')::int,
	(status = 'failed')::int, 1,
	at, at, case when status <> 'pending' then coalesce(status_at, at) end, at, coalesce(status_at, at)
from chat_messages
where direction = 'out' and kind = 'template';

update chat_messages m set campaign_id = c.id
from campaigns c
where c.account_id = m.account_id and c.kind = 'chat' and c.request_id = 'chat:' || m.id;

-- What failed was kept in the words that the chat showed. Code 0 stood for reasons of ours, too, whose words are kept as such.
insert into campaign_messages (account_id, campaign_id, seq, number, status, error_code, wamid, error, sent_at, status_at)
select account_id, campaign_id, 1, chat, status, case when error_code = 0 then -4 else error_code end, wamid,
	regexp_replace(error, '^WhatsApp did not accept this message: ', ''), sent_at, status_at
from chat_messages
where campaign_id is not null;

insert into campaign_blocks (account_id, campaign_id, block, pending, sent, delivered, read, failed)
select account_id, id, 0, pending_count, sent_count, delivered_count, read_count, failed_count
from campaigns
where kind = 'chat';

insert into unsettled_messages (account_id, campaign_id, seq, attempts, unknown_since)
select account_id, campaign_id, 1, 1, coalesce(claimed_at, at)
from chat_messages
where campaign_id is not null and status = 'pending';

-- Refunds above the measure were counted for all chats together, as campaign 0. Each goes to one of the messages that failed
-- and whose charge was not refunded by itself; which one does not matter, as they have one price.
insert into waiting_refunds (
	account_id, campaign_id, price_paise, reason, waiting_count, approved_count, refused_count, first_at, last_at,
	admins_notified_at
)
with moved as (
	select account_id, split_part(reference, ':', 3)::bigint as message_id,
		sum(available_change_paise + held_change_paise) as paise
	from ledger_entries
	where reference ~ '^[a-z]+:chat:[0-9]+(:|$)'
	group by 1, 2
), kept as (
	select m.account_id, m.campaign_id, m.price_paise,
		row_number() over (partition by m.account_id, m.price_paise order by m.id) as place
	from chat_messages m
	join moved l on l.account_id = m.account_id and l.message_id = m.id
	where m.status = 'failed' and m.price_paise > 0 and l.paise = -m.price_paise
), units as (
	select w.account_id, w.price_paise, w.reason, u.state, w.first_at, w.last_at, w.admins_notified_at,
		row_number() over (partition by w.account_id, w.price_paise order by u.state desc, w.reason) as place
	from waiting_refunds w
	cross join lateral (
		values ('waiting', w.waiting_count), ('refused', w.refused_count), ('approved', w.approved_count)
	) as u (state, messages)
	cross join lateral generate_series(1, u.messages)
	where w.campaign_id = 0
)
select k.account_id, k.campaign_id, k.price_paise, u.reason, (u.state = 'waiting')::int, (u.state = 'approved')::int,
	(u.state = 'refused')::int, u.first_at, u.last_at, u.admins_notified_at
from kept k
join units u on u.account_id = k.account_id and u.price_paise = k.price_paise and u.place = k.place;

delete from waiting_refunds where campaign_id = 0;

-- An approved refund stands in the ledger as one entry of several messages, which stays without a campaign; so do the charges
-- that it gave back, and their campaigns have cost nothing.
update campaigns c set price_paise = 0
from waiting_refunds w
where w.account_id = c.account_id and w.campaign_id = c.id and c.kind = 'chat' and w.approved_count > 0;

update ledger_entries e set campaign_id = m.campaign_id
from chat_messages m
where e.campaign_id is null and e.account_id = m.account_id and m.campaign_id is not null
	and m.id = case when e.reference ~ '^[a-z]+:chat:[0-9]+(:|$)' then split_part(e.reference, ':', 3)::bigint end
	and not exists (
		select from waiting_refunds w
		where w.account_id = m.account_id and w.campaign_id = m.campaign_id and w.approved_count > 0
	);

-- The statement's lines of chats, each now one of a campaign, as the ledger writes them.
delete from statement_lines
where campaign_id = 0 and kind <> 'recharge' and account_id in (select account_id from campaigns where kind = 'chat');

with parted as (
	select e.*, (e.created_at at time zone 'Asia/Kolkata')::date as day,
		count(*) filter (where kind in ('recharge', 'hold')) over (partition by account_id order by id) as part
	from ledger_entries e
	where account_id in (select account_id from campaigns where kind = 'chat')
)
insert into statement_lines (
	account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
	available_after_paise, held_after_paise, message_count, last_at
)
select p.account_id, min(p.id), p.part, p.kind, coalesce(p.campaign_id, 0), p.day,
	sum(p.available_change_paise), sum(p.held_change_paise),
	(array_agg(p.available_after_paise order by p.id))[1], (array_agg(p.held_after_paise order by p.id))[1],
	sum(p.message_count), max(p.created_at)
from parted p
left join campaigns c on c.account_id = p.account_id and c.id = p.campaign_id
where p.kind <> 'recharge' and (p.campaign_id is null or c.kind = 'chat')
group by p.account_id, p.part, p.kind, coalesce(p.campaign_id, 0), p.day;

update chat_messages
set status = null, wamid = null, error_code = null, error = null, sent_at = null, status_at = null, body = body - 'category'
where campaign_id is not null;
alter table chat_messages add constraint chat_messages_status check ((status is null) = (campaign_id is not null));
create index chat_messages_campaign on chat_messages (account_id, campaign_id) where campaign_id is not null;
drop index chat_messages_priced;
drop index chat_messages_undelivered;
alter table chat_messages drop constraint chat_messages_price;
alter table chat_messages drop column price_paise;
