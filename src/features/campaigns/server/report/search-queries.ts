import type { RecipientFilter } from '#features/campaigns/contract.ts'
import { BLOCK_SIZE } from '#features/delivery/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { identifier } from '#lib/server/statement.ts'
import type { Message } from '../queries.ts'
import { MESSAGE_COLUMNS, messagesOfBlock } from './message-queries.ts'

/** Number of blocks that are read before the contacts are searched. */
const FIRST_BLOCKS = 10
/**
 * Length in digits of a part that matches about one number in a thousand, too few to fill a page from the first blocks.
 */
const RARE_DIGITS = 4
/** Number of pages counted beyond the one shown. */
const PAGES_AHEAD = 2

interface Search extends PageQuery {
	campaignId: string
	/** Number of messages of the campaign. */
	total: number
	status: RecipientFilter | undefined
	/** The search as typed: a part of a name. */
	search: string
	/** The digits to find when the search can be a part of a number; null otherwise. */
	numberPart: string | null
	/**
	 * Returns the numbers of contacts that the search finds, null for too many. Null for a campaign whose recipients need
	 * not be contacts.
	 */
	contactNumbers: (() => Promise<string[] | null>) | null
}

/**
 * Returns the messages whose recipient's name or number contains the text. It reads the first blocks with messages of the
 * status, then finds the rest through the contacts, whose search has an index, or by reading on. The contacts are not
 * searched first: a common name finds a hundred thousand of them.
 */
export async function searchMessages(
	sql: Sql,
	accountId: AccountId,
	wanted: Search,
): Promise<{ messages: Message[]; total: number }> {
	const first = offsetOf(wanted)
	const end = first + wanted.limit * (PAGES_AHEAD + 1)
	const blocks = await listBlocks(sql, accountId, wanted)
	const isRare = (wanted.numberPart?.length ?? 0) >= RARE_DIGITS
	const firstCount = isRare && blocks.length > FIRST_BLOCKS ? 0 : FIRST_BLOCKS
	const found = await searchBlocks(sql, accountId, { ...wanted, blocks: blocks.slice(0, firstCount), limit: end })
	const rest = blocks.slice(firstCount)
	if (found.length < end && rest.length > 0) {
		const limit = end - found.length
		const numbers = await wanted.contactNumbers?.()
		const others = numbers
			? await listByNumbers(sql, accountId, { ...wanted, numbers, fromBlock: rest[0] ?? 0, limit })
			: await searchBlocks(sql, accountId, { ...wanted, blocks: rest, limit })
		found.push(...others)
	}
	return { messages: found.slice(first, first + wanted.limit), total: found.length }
}

/** Returns the blocks that have messages of the status, in order. */
async function listBlocks(sql: Sql, accountId: AccountId, { campaignId, status, total }: Search): Promise<number[]> {
	if (status === undefined || status === 'clicked')
		return Array.from({ length: Math.ceil(total / BLOCK_SIZE) }, (_, block) => block)
	const [row] = await sql<{ blocks: number[] | null }[]>`
		select array_agg(block order by block) as blocks from campaign_blocks
		where account_id = ${accountId} and campaign_id = ${campaignId} and ${identifier(status)} > 0
	`
	return row?.blocks ?? []
}

/** Searches blocks in order until `limit` messages are found. */
async function searchBlocks(sql: Sql, accountId: AccountId, wanted: Search & { blocks: number[] }) {
	const { campaignId, status, blocks, search, numberPart, limit } = wanted
	const fits = sql`(
		position(lower(${search}) in lower(m.name)) > 0
		${numberPart === null ? sql`` : sql`or position(${numberPart} in m.number) > 0`}
	) ${status === 'clicked' ? hasClicked(sql, accountId) : sql``}`
	// The blocks are consecutive, so the messages come in the order of their index.
	if (status === undefined || status === 'clicked')
		return sql<Message[]>`
			select ${MESSAGE_COLUMNS} from campaign_messages m
			where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and ${fits}
				and m.seq > ${(blocks[0] ?? 0) * BLOCK_SIZE} and m.seq <= ${((blocks.at(-1) ?? -1) + 1) * BLOCK_SIZE}
			order by m.seq
			limit ${limit}
		`
	// Sorts each block on its own, because the blocks come in order.
	return sql<Message[]>`
		select ${MESSAGE_COLUMNS}
		from (select block from unnest(${blocks}::int[]) b (block) order by block) b
		cross join lateral ${messagesOfBlock(sql, accountId, { campaignId, status, block: sql`b.block` })} m
		where ${fits}
		order by b.block, m.seq
		limit ${limit}
	`
}

const hasClicked = (sql: Sql, accountId: AccountId) => sql`and exists (
	select 1 from campaign_clicks k where k.account_id = ${accountId} and k.campaign_id = m.campaign_id and k.seq = m.seq
)`

async function listByNumbers(
	sql: Sql,
	accountId: AccountId,
	wanted: Search & { numbers: string[]; fromBlock: number },
) {
	const { status } = wanted
	return sql<Message[]>`
		select ${MESSAGE_COLUMNS} from campaign_messages m
		where m.account_id = ${accountId} and m.campaign_id = ${wanted.campaignId}
			and m.number = any(${wanted.numbers}::text[]) and m.seq > ${wanted.fromBlock * BLOCK_SIZE}
			${status === undefined ? sql`` : status === 'clicked' ? hasClicked(sql, accountId) : sql`and m.status = ${status}`}
		order by m.seq
		limit ${wanted.limit}
	`
}
