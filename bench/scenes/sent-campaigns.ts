import type { Db, AccountId } from '#lib/server/db.ts'

export const CAMPAIGN_ROWS = 10_000
const PRICE_PAISE = 100
const BLOCK_ROWS = 1000
/** One in this many messages of a campaign fails, and one in this many is answered. */
const FAILED = 50
const FAILED_ROWS = CAMPAIGN_ROWS / FAILED
/** Factor that distributes numbers like real ones; a prime below their number, 10^8. */
const NUMBERS = 99_999_989

/** Returns the number of the n-th person as SQL. */
export function numberOf(n: string): string {
	return `'9198' || lpad(((${n}) * 7919::bigint % ${NUMBERS})::text, 8, '0')`
}

const isFailed = `seq % ${FAILED} = 7`
const statusOf = `(case when ${isFailed} then 'failed' when seq % 10 < 3 then 'delivered' else 'read' end)::message_status`

export interface SentCampaigns {
	campaigns: number
	daysAgo: number
	/** Table or partition that the messages are written to. */
	into?: string
	/** Number of groups of 10,000 people. Successive campaigns go to successive groups, and then to the first ones again. */
	groups?: number
	/** Index of the first campaign's group. */
	firstGroup?: number
}

/** Writes an account's first recharge, because a ledger must begin with one. */
export async function recharge(db: Db, accountId: AccountId): Promise<void> {
	await db.unsafe(`
		with paid as (
			insert into ledger_entries (
				account_id, kind, reference, available_change_paise, held_change_paise, available_after_paise, held_after_paise
			)
			select account_id, 'recharge', 'bench', available_paise, 0, available_paise, 0 from wallets where account_id = ${accountId}
			returning *
		), line as (
			insert into statement_lines (
				account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise, available_after_paise,
				held_after_paise, last_at
			)
			select account_id, id, 0, kind, 0, current_date - 800, available_change_paise, 0, available_after_paise, 0,
				now() - interval '800 days'
			from paid
		), given as (
			update receipt_counters set last_number = last_number + 1 where series = 'recharge' returning last_number
		)
		insert into receipts (account_id, entry_id, number, payer_name, payer_email)
		select account_id, id, last_number, 'Asha', 'asha@example.com' from paid, given`)
}

/**
 * Writes campaigns whose messages were delivered, read or refused, without their counters, which `countSent` writes. Returns
 * their ids.
 */
export async function insertSent(
	db: Db,
	accountId: AccountId,
	{ campaigns, daysAgo, into = 'campaign_messages', groups = 1, firstGroup = 0 }: SentCampaigns,
): Promise<number[]> {
	const startedAt = `now() - interval '${daysAgo} days'`
	const rows = await db.unsafe(`
		insert into campaigns (
			account_id, name, status, template, audience_type, audience_name, merge_tags, price_paise, total_count, delivered_count,
			read_count, failed_count, replied_count, claimed_through, created_at, opens_at, started_at, finished_at, updated_at
		)
		select ${accountId}, 'Offer ' || n, 'completed',
			'{"name": "offer", "language": "en", "category": "MARKETING", "components": []}', 'all', 'All contacts', '{firstName}',
			${PRICE_PAISE}, ${CAMPAIGN_ROWS}, c.delivered, c.read, ${FAILED_ROWS}, ${FAILED_ROWS}, ${CAMPAIGN_ROWS},
			${startedAt}, ${startedAt}, ${startedAt}, ${startedAt} + interval '1 hour', ${startedAt} + interval '1 hour'
		from generate_series(1, ${campaigns}) n, (
			select count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'read') as read
			from (select ${statusOf} as status from generate_series(1, ${CAMPAIGN_ROWS}) seq) m
		) c
		returning id`)
	const ids = rows.map(({ id }) => Number(id))
	await db.unsafe(`
		insert into ${into} (
			account_id, campaign_id, seq, number, name, status, error_code, error, merge_values, wamid, sent_at, status_at
		)
		select ${accountId}, c.id, seq, ${numberOf(`(${firstGroup} + c.n - 1) % ${groups} * ${CAMPAIGN_ROWS} + seq`)}, 'Asha Kumar ' || seq, ${statusOf},
			case when ${isFailed} then 131026 end, case when ${isFailed} then 'Message undeliverable' end, array['Asha'],
			case when not ${isFailed} then 'wamid.HBgMOTE5ODc2NTQzMjEwFQIA' || md5(c.id || ':' || seq) end,
			case when not ${isFailed} then ${startedAt} + seq * interval '12 ms' end,
			${startedAt} + seq * interval '250 ms'
		from unnest(array[${ids.join()}]::bigint[]) with ordinality c (id, n), generate_series(1, ${CAMPAIGN_ROWS}) seq`)
	return ids
}

/** Writes the counters, replies, ledger and statements that sending these campaigns would have written. */
export async function countSent(
	db: Db,
	accountId: AccountId,
	{ ids, daysAgo }: { ids: readonly number[]; daysAgo: number },
): Promise<void> {
	const campaigns = `unnest(array[${ids.join()}]::bigint[])`
	const startedAt = `now() - interval '${daysAgo} days'`
	const blocks = CAMPAIGN_ROWS / BLOCK_ROWS
	await db.unsafe(`
		insert into campaign_blocks (account_id, campaign_id, block, delivered, read, failed)
		select ${accountId}, c.id, b.* from ${campaigns} c (id), (
			select (seq - 1) / ${BLOCK_ROWS} as block, count(*) filter (where status = 'delivered'),
				count(*) filter (where status = 'read'), count(*) filter (where status = 'failed')
			from generate_series(1, ${CAMPAIGN_ROWS}) seq, lateral (select ${statusOf} as status) s
			group by 1
		) b`)
	await db.unsafe(`
		insert into campaign_minutes (account_id, campaign_id, minute, sent, delivered, read, failed)
		select ${accountId}, c.id, date_trunc('minute', ${startedAt}) + n * interval '1 minute', 240, 235, 160, 5
		from ${campaigns} c (id), generate_series(0, 41) n`)
	await db.unsafe(`
		insert into campaign_failures
		select ${accountId}, c.id, 131026, 'Message undeliverable', ${FAILED_ROWS} from ${campaigns} c (id)`)
	await db.unsafe(`
		insert into campaign_replies (account_id, campaign_id, seq, is_counted, replied_at)
		select ${accountId}, c.id, n * ${FAILED}, true, ${startedAt} + interval '1 hour'
		from ${campaigns} c (id), generate_series(1, ${FAILED_ROWS}) n`)
	await moveMoney(db, accountId, { campaigns, daysAgo, blocks })
}

/** Writes a hold for each campaign, a capture for each thousand of its messages, and the release of the failed ones. */
async function moveMoney(
	db: Db,
	accountId: AccountId,
	{ campaigns, daysAgo, blocks }: { campaigns: string; daysAgo: number; blocks: number },
): Promise<void> {
	const captured = BLOCK_ROWS - BLOCK_ROWS / FAILED
	await db.unsafe(`
		with changes as (
			select c.id, step, case when step = 0 then 'hold' when step > ${blocks} then 'release' else 'capture' end as kind,
				case when step = 0 then ${CAMPAIGN_ROWS} when step > ${blocks} then ${FAILED_ROWS} else ${captured} end as messages
			from ${campaigns} c (id), generate_series(0, ${blocks + 1}) step
		), moves as (
			select *, messages * ${PRICE_PAISE} * case kind when 'hold' then -1 when 'release' then 1 else 0 end as available,
				messages * ${PRICE_PAISE} * case kind when 'hold' then 1 else -1 end as held
			from changes
		)
		insert into ledger_entries (
			account_id, kind, reference, available_change_paise, held_change_paise, available_after_paise, held_after_paise,
			campaign_id, message_count
		)
		select ${accountId}, kind, 'bench:' || id || ':' || step, available, held,
			w.available_paise + sum(available) over everything, w.held_paise + sum(held) over everything, id, messages
		from moves, wallets w
		where w.account_id = ${accountId}
		window everything as (order by id, step)
		order by id, step`)
	await db.unsafe(`
		insert into statement_lines (
			account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise, available_after_paise,
			held_after_paise, message_count, last_at
		)
		select ${accountId}, min(e.id), w.statement_part + dense_rank() over (order by e.campaign_id), e.kind, e.campaign_id,
			current_date - ${daysAgo}, sum(available_change_paise), sum(held_change_paise), max(available_after_paise), 0,
			sum(message_count), now() - interval '${daysAgo} days'
		from ledger_entries e
		join wallets w on w.account_id = ${accountId}
		where e.account_id = ${accountId} and e.campaign_id in (select id from ${campaigns} c (id))
		group by w.statement_part, e.kind, e.campaign_id`)
	await db.unsafe(`
		update wallets
		set available_paise = e.available_after_paise,
			statement_part = (select max(part) from statement_lines where account_id = ${accountId})
		from (
			select available_after_paise from ledger_entries where account_id = ${accountId} order by id desc limit 1
		) e
		where account_id = ${accountId}`)
}
