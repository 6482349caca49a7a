import { BLOCK_SIZE } from '#features/delivery/rules.ts'
import type { MarketPrices } from '#features/pricing/rules.ts'
import { NO_PRICE } from '#features/pricing/server/market-column.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'
import {
	addOwnPrices,
	deleteOwnPrices,
	deleteUnpriced,
	pricedRows,
	resetOwnPrices,
	writeOwnPrices,
	type RowPrices,
} from './message-price-queries.ts'

/**
 * Writes one message for each selected recipient, numbered from `after` + 1 in the order of `place`. `rows` selects `place`,
 * `origin_seq`, `number`, `name` and `merge_values`. Without `prices`, each message costs the campaign's price; with them,
 * recipients without a price are left out. Returns how many it wrote.
 */
export async function insertMessages(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, after, rows, prices }: Selected,
): Promise<number> {
	const { count } = await sql`
		insert into campaign_messages (
			account_id, campaign_id, seq, origin_seq, number, name, merge_values ${prices ? sql`, price_paise` : sql``}
		)
		select ${accountId}::bigint, ${campaignId}::bigint, ${after}::int + row_number() over (order by r.place),
			r.origin_seq, r.number, r.name, r.merge_values
			${prices ? sql`, nullif(r.paise, ${prices.pricePaise}::int)` : sql``}
		from (${prices ? pricedRows(sql, accountId, { rows, prices }) : rows}) r
		${prices ? sql`where r.paise <> ${NO_PRICE}` : sql``}
	`
	return count
}

interface Selected {
	campaignId: number
	after: number
	rows: Statement
	prices: RowPrices | null
}

/** New pending messages of a campaign, and the number of messages before them. */
interface NewMessages {
	campaignId: number
	before: number
	count: number
}

/** Adds new messages to the campaign's total and to its blocks. */
export async function addCounts(sql: Sql, accountId: AccountId, added: NewMessages): Promise<void> {
	const { campaignId, count } = added
	await sql`
		update campaigns set total_count = total_count + ${count}, pending_count = pending_count + ${count}, updated_at = now()
		where account_id = ${accountId} and id = ${campaignId}
	`
	await addToBlocks(sql, accountId, added)
}

/**
 * Sets the counters of a campaign that has not started: its messages, all pending, are numbered from 1 to this count. Messages
 * have new numbers, so that their header files are uploaded again from the first on; Meta has most of the contents.
 */
export async function resetCounts(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, count }: { campaignId: number; count: number },
): Promise<void> {
	await sql`delete from campaign_blocks where account_id = ${accountId} and campaign_id = ${campaignId}`
	await sql`
		update campaigns set total_count = 0, pending_count = 0,
			files_through = case when files_through is not null then 0 end
		where account_id = ${accountId} and id = ${campaignId}
	`
	if (count > 0) await addCounts(sql, accountId, { campaignId, before: 0, count })
}

export async function addToBlocks(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, before, count }: NewMessages,
): Promise<void> {
	await sql`
		insert into campaign_blocks as k (account_id, campaign_id, block, pending)
		select ${accountId}::bigint, ${campaignId}::bigint, b,
			least((b + 1) * ${BLOCK_SIZE}, ${before + count}::int) - greatest(b * ${BLOCK_SIZE}, ${before}::int)
		from generate_series(${before}::int / ${BLOCK_SIZE}, (${before + count}::int - 1) / ${BLOCK_SIZE}) b
		on conflict (account_id, campaign_id, block) do update set pending = k.pending + excluded.pending
	`
}

/**
 * Deletes the messages of a campaign, before its start, to the numbers that `people` selects as `number`. Returns how
 * many it deleted. The caller closes the gaps.
 */
export async function deleteMessagesTo(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, people }: { campaignId: number; people: Statement },
): Promise<number> {
	const { count } = await sql`
		delete from campaign_messages m using (${people}) p
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.number = p.number
	`
	return count
}

/**
 * Moves the last messages of a campaign to the free numbers between 1 and `count`, the number of messages left, and their
 * references with them. Deletes the references of messages that are gone.
 */
export async function closeGaps(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, count }: { campaignId: number; count: number },
): Promise<void> {
	const [campaign] = await sql<{ hasReferences: boolean | null }[]>`
		select has_references as "hasReferences" from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	const moves = movesOf(sql, accountId, { campaignId, count })
	if (campaign?.hasReferences) {
		await sql`
			delete from message_references r
			where r.account_id = ${accountId} and r.campaign_id = ${campaignId} and not exists (
				select from campaign_messages k
				where k.account_id = ${accountId} and k.campaign_id = ${campaignId} and k.seq = r.seq
			)
		`
		await sql`
			update message_references r set seq = n.free from ${moves}
			where r.account_id = ${accountId} and r.campaign_id = ${campaignId} and r.seq = n.last
		`
	}
	await sql`
		update campaign_messages m set seq = n.free from ${moves}
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.seq = n.last
	`
}

/** Selects, as a table `n`, each free number up to `count` with the number of the message that moves there. */
const movesOf = (sql: Sql, accountId: AccountId, { campaignId, count }: { campaignId: number; count: number }) => sql`(
	select free.seq as free, last.seq as last
	from (
		select s as seq, row_number() over (order by s) as place from generate_series(1, ${count}::int) s
		where not exists (
			select from campaign_messages k where k.account_id = ${accountId} and k.campaign_id = ${campaignId} and k.seq = s
		)
	) free
	join (
		select l.seq, row_number() over (order by l.seq) as place from campaign_messages l
		where l.account_id = ${accountId} and l.campaign_id = ${campaignId} and l.seq > ${count}
	) last on last.place = free.place
) n`

interface NewValues {
	campaignId: string
	mergeTags: readonly string[]
	rows: Statement
	/** The message up to which header files are now uploaded, and the number that uploaded them. */
	files?: { through: number; phoneNumberId: string }
}

/**
 * Replaces the values of a campaign's messages, except of erased ones. `rows` selects `seq` and `merge_values`, which
 * are in the order of `mergeTags`.
 */
export async function updateMergeValues(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, mergeTags, rows, files }: NewValues,
): Promise<void> {
	await sql`
		update campaign_messages t set merge_values = n.merge_values from (${rows}) n
		where t.account_id = ${accountId} and t.campaign_id = ${campaignId} and not starts_with(t.number, ${ERASED_PREFIX})
			and t.seq = n.seq
	`
	await sql`
		update campaigns set merge_tags = ${mergeTags}::text[]
			${files ? sql`, files_through = ${files.through}, files_number = ${files.phoneNumberId}` : sql``}
		where account_id = ${accountId} and id = ${campaignId}
	`
}

/**
 * Renumbers the messages of a campaign whose messages are not counted yet: messages to the numbers that `people` selects as
 * `number` come first. Both parts keep their order. Numbers are negative in between, so that no two keys collide.
 */
export async function moveToFront(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, people }: { campaignId: number; people: Statement },
): Promise<void> {
	await sql`
		update campaign_messages m set seq = -n.place
		from (
			select k.seq, row_number() over (order by p.number is null, k.seq)::int as place
			from campaign_messages k
			left join (select distinct f.number from (${people}) f) p on p.number = k.number
			where k.account_id = ${accountId} and k.campaign_id = ${campaignId}
		) n
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.seq = n.seq
	`
	await sql`update campaign_messages set seq = -seq where account_id = ${accountId} and campaign_id = ${campaignId}`
}

/** Adds to the campaign's count of recipients left out by the cap. */
export async function addCapped(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, count }: { campaignId: number; count: number },
): Promise<void> {
	await sql`
		update campaigns set capped_count = capped_count + ${count} where account_id = ${accountId} and id = ${campaignId}
	`
}

/**
 * Writes the counts of a campaign's control group, and the time of the next count; `start` is the start of the campaign,
 * null means no further count.
 */
export async function updateControlGroup(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, controlGroup, dueAt }: { campaignId: number; controlGroup: object; dueAt: Date | 'start' | null },
): Promise<void> {
	const due = dueAt === 'start' ? sql`opens_at` : sql`${dueAt}::timestamptz`
	await sql`
		update campaigns set held_out = ${JSON.stringify(controlGroup)}, hold_out_due_at = ${due}
		where account_id = ${accountId} and id = ${campaignId}
	`
}

interface UnstartedMessages {
	campaignId: number
	/** Number of the campaign's messages, all of which are pending. */
	count: number
	/** True if some of them may have a price of their own. */
	hasMessagePrices: boolean
	prices: MarketPrices
}

/**
 * Gives the messages of a campaign that has not started new prices, and deletes those to markets without a price. The
 * caller has locked the campaign, writes its home price, and posts the difference. Returns the number of messages left and
 * the sum of their prices in paise.
 */
export async function repriceMessages(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, count, hasMessagePrices, prices: { pricePaise, abroadPrices } }: UnstartedMessages,
): Promise<{ count: number; paise: number }> {
	if (!abroadPrices) {
		if (hasMessagePrices) {
			await deleteOwnPrices(sql, accountId, campaignId)
			await resetOwnPrices(sql, accountId, campaignId)
		}
		return { count, paise: count * pricePaise }
	}
	const repriced = { campaignId, pricePaise, abroadPrices }
	const unpriced = await deleteUnpriced(sql, accountId, repriced)
	const left = count - unpriced
	if (unpriced > 0) {
		await closeGaps(sql, accountId, { campaignId, count: left })
		await resetCounts(sql, accountId, { campaignId, count: left })
	}
	await writeOwnPrices(sql, accountId, repriced)
	await resetOwnPrices(sql, accountId, campaignId)
	const extra = await addOwnPrices(sql, accountId, { campaignId, after: 0, pricePaise, unpriced })
	return { count: left, paise: left * pricePaise + extra }
}
