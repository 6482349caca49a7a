import { OptionalText } from '#lib/fields.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'

/** Hours after the arrival of a campaign's message in which a recipient's first message is a reply to it. */
export const REPLY_HOURS = 72

/** The definition of "Replied", for everything that shows the figure. */
export const REPLIED_MEANS = `Recipients who wrote within ${REPLY_HOURS} hours after the campaign's message arrived. A quoted reply counts for the quoted campaign. Any other reply counts for the latest one.`

/** The name of the figure that `QUOTED_MEANS` defines. */
export const QUOTED_LABEL = 'Replied to this message directly'

/** The definition of `QUOTED_LABEL`, for everything that shows the figure. */
export const QUOTED_MEANS = "Recipients who quoted the campaign's message or pressed one of its buttons, at any time."

/** The definition of "Delivered", for everything that shows a share of it. */
export const DELIVERED_MEANS = 'The share of all recipients whose message was delivered.'

/** The definition of "still arriving", for everything that shows the figure beside the share of delivered messages. */
export const ARRIVING_MEANS =
	'Messages without a report of delivery, while a campaign is sent and for 24 hours after its start and its end.'

/** The definition of "not confirmed", for everything that shows the figure. */
export const UNCONFIRMED_MEANS =
	'WhatsApp accepted these messages and has not said whether they arrived. The phone may be off or without internet.'

/** Counts of a campaign's messages. `sentCount` includes delivered and read ones, `deliveredCount` read ones. */
interface OpenCounts {
	sentCount: number
	deliveredCount: number
	arrivingCount: number
}

/** Returns "13 still arriving" within the time for it, afterwards "13" with the words for unconfirmed messages; null when none is open. */
export function openText(
	{ sentCount, deliveredCount, arrivingCount }: OpenCounts,
	unconfirmedWords = 'not confirmed by WhatsApp',
): string | null {
	if (arrivingCount > 0) return `${formatCount(arrivingCount)} still arriving`
	const unconfirmed = sentCount - deliveredCount
	return unconfirmed > 0 ? `${formatCount(unconfirmed)} ${unconfirmedWords}` : null
}

/** Returns a count as a share of the recipients, from 0 to 1; null without recipients. */
export function shareOf(count: number, recipients: number): number | null {
	return recipients > 0 ? Math.min(1, count / recipients) : null
}

/** The figures of a campaign that its result consists of, with the cost in rupees. */
interface Result extends OpenCounts {
	totalCount: number
	readCount: number
	repliedCount: number
	countsClicks: boolean
	clickedCount: number
	failedCount: number
	cost: number
}

/**
 * Returns "386 of 411 people got it, 304 read it, …, ₹399.00"; until the first report of delivery "101 of 411 messages sent, …".
 * A brief text has no replies, clicks, unconfirmed messages and cost.
 */
export function resultText(result: Result, { isBrief = false } = {}): string {
	const { totalCount, deliveredCount, readCount, repliedCount, clickedCount, failedCount } = result
	const share = (count: number) => (count < totalCount ? `${formatCount(count)} of ` : '')
	const isKnown = deliveredCount > 0 || repliedCount > 0 || result.arrivingCount === 0
	return [
		!isKnown && `${share(result.sentCount)}${plural(totalCount, 'message')} sent`,
		isKnown && `${share(deliveredCount)}${plural(totalCount, 'person', 'people')} got it`,
		isKnown && `${formatCount(readCount)} read it`,
		isKnown && !isBrief && `${formatCount(repliedCount)} replied`,
		isKnown && !isBrief && result.countsClicks && `${formatCount(clickedCount)} clicked`,
		failedCount > 0 && `${formatCount(failedCount)} failed`,
		isKnown && !isBrief && openText(result),
		!isBrief && formatRupees(result.cost),
	]
		.filter(Boolean)
		.join(', ')
}

/** Recipients whose messages have the same price, in any unit. */
interface PricedRecipients {
	recipients: number
	price: number
}

/**
 * Returns the groups less the members of a control group. Removing the cheapest first gives the highest cost of the
 * remaining recipients, removing the dearest first the lowest. The real cost is in between, because a hash chooses the members.
 */
export function withoutControlGroup<Group extends PricedRecipients>(
	groups: readonly Group[],
	{ size, first }: { size: number; first: 'cheapest' | 'dearest' },
): Group[] {
	let left = size
	const sign = first === 'cheapest' ? 1 : -1
	const rest = new Map<Group, Group>()
	for (const group of groups.toSorted((a, b) => sign * (a.price - b.price))) {
		const taken = Math.min(left, group.recipients)
		left -= taken
		rest.set(group, { ...group, recipients: group.recipients - taken })
	}
	return groups.flatMap((group) => rest.get(group) ?? [])
}

/** The price of a message in rupees that the screen showed. Another present price refuses the order. */
export const ShownPrice = { price: OptionalText(20) }

export const ShownPrices = {
	...ShownPrice,
	/** `abroadPrices` of the estimate that the screen showed. Other present prices refuse the order. */
	abroadPrices: OptionalText(100),
}

/** The prices that a screen showed. An absent one is not compared. */
export interface ShownPrices {
	price?: string | undefined
	abroadPrices?: string | undefined
}
