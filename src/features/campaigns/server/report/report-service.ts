import type { RecipientFilter } from '#features/campaigns/contract.ts'
import { findNumbers } from '#features/contacts/server/service.ts'
import { withClicks } from '#features/links/server/click-queries.ts'
import type { Clicked } from '#features/links/server/click-queries.ts'
import { fillValues } from '#features/templates/values.ts'
import { DAY_MS } from '#lib/durations.ts'
import { readNumberPart } from '#lib/phone/phone-reader.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { pagesFor, type PageQuery } from '#lib/server/db/paging.ts'
import type { Campaign, Message } from '../queries.ts'
import * as queries from './message-queries.ts'
import { getMergeTags, listSamples } from './recipient-queries.ts'
import { searchMessages } from './search-queries.ts'

export interface MessagePage {
	messages: (Message & Clicked)[]
	/** Number of pages. A search counts only two pages beyond the one shown. */
	totalPages: number
}

/** Returns a page of a campaign's messages, narrowed by a status, by a search, or both. */
export async function getMessagePage(
	db: Db,
	accountId: AccountId,
	{ campaign, ...wanted }: PageQuery & { campaign: Campaign; status: RecipientFilter | undefined; search: string },
): Promise<MessagePage> {
	const { status, search, limit } = wanted
	const campaignId = String(campaign.id)
	const given = { ...wanted, campaignId }
	const shown = (messages: Message[]) => withClicks(db, accountId, { campaignId, messages })
	if (search !== '') {
		const { messages, total } = await searchMessages(db, accountId, {
			...given,
			total: campaign.total,
			numberPart: readNumberPart(search),
			contactNumbers: campaign.audienceType === 'file' ? null : () => findNumbers(db, accountId, search),
		})
		return { messages: await shown(messages), totalPages: pagesFor(total, limit) }
	}
	const read = () => {
		if (status === undefined) return queries.listMessages(db, accountId, given)
		return status === 'clicked'
			? queries.listClicked(db, accountId, given)
			: queries.listByStatus(db, accountId, { ...given, status })
	}
	return {
		messages: await shown(await read()),
		totalPages: pagesFor(status ? campaign[status] : campaign.total, limit),
	}
}

/** Returns some recipients, each with the values of the campaign's variables in their message. */
export async function getSamples(db: Db, accountId: AccountId, { id, variables }: Pick<Campaign, 'id' | 'variables'>) {
	const campaignId = String(id)
	const [tags, rows] = await Promise.all([
		getMergeTags(db, accountId, campaignId),
		listSamples(db, accountId, campaignId),
	])
	return rows.map(({ mergeValues, ...recipient }) => ({
		...recipient,
		variables: fillValues(variables, (tag) => mergeValues?.[tags.indexOf(tag)] ?? null),
	}))
}

/** Intervals that a chart may show, in seconds: a minute to a day. */
const SPANS_SECONDS = [60, 300, 900, 3600, 3 * 3600, 12 * 3600, 24 * 3600]
const MAX_SPANS = 60

/**
 * Returns a campaign's message events by interval. The interval is the shortest that gives about `MAX_SPANS` intervals or
 * fewer, and never longer than a day.
 */
export async function getTimeline(
	db: Db,
	accountId: AccountId,
	campaignId: string,
): Promise<{ spanSeconds: number; spans: queries.Span[] }> {
	const times = await queries.findTimes(db, accountId, campaignId)
	const seconds = times ? (times.last.getTime() - times.first.getTime()) / 1000 : 0
	const spanSeconds = SPANS_SECONDS.find((span) => seconds / span < MAX_SPANS) ?? 24 * 3600
	return { spanSeconds, spans: await queries.listSpans(db, accountId, { campaignId, spanSeconds }) }
}

/** Minimum number of reads. Fewer reads reflect the times of sending rather than the habits of recipients. */
const MIN_READS = 500

/** Minimum number of days between the first and the last read, so that weekdays can be compared. */
const MIN_READ_DAYS = 14

/**
 * Returns the hour and the day of the week in which most messages of the last 90 days were read; null with fewer than `MIN_READS`
 * reads, or when all of them fall within less than `MIN_READ_DAYS` days.
 */
export async function findBestTime(db: Db, accountId: AccountId): Promise<{ hour: number; weekday: number } | null> {
	const rows = await queries.listReadHours(db, accountId)
	if (rows.reduce((sum, { read }) => sum + read, 0) < MIN_READS) return null
	const times = rows.flatMap(({ firstAt, lastAt }) => [firstAt.getTime(), lastAt.getTime()])
	if (Math.max(...times) - Math.min(...times) < MIN_READ_DAYS * DAY_MS) return null
	const busiest = (key: 'hour' | 'weekday') => {
		const sums = Array.from(
			Map.groupBy(rows, (row) => row[key]),
			([value, some]) => ({
				value,
				read: some.reduce((sum, { read }) => sum + read, 0),
			}),
		)
		return sums.toSorted((a, b) => b.read - a.read || a.value - b.value)[0]?.value ?? 0
	}
	return { hour: busiest('hour'), weekday: busiest('weekday') }
}
