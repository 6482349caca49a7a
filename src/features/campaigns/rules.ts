import { OptionalText } from '#lib/fields.ts'

/** Hours after the arrival of a campaign's message in which a recipient's first message is a reply to it. */
export const REPLY_HOURS = 72

/** The definition of "Replied", for everything that shows the figure. */
export const REPLIED_MEANS = `The first message that a recipient writes within ${REPLY_HOURS} hours after the campaign's message arrived, unless it quotes another message. The last campaign that arrived gets it.`

/** The definition of "Quoted or button", for everything that shows the figure. */
export const QUOTED_MEANS = "Recipients who quoted the campaign's message or pressed one of its buttons, at any time."

/** The definition of "Delivered", for everything that shows a share of it. */
export const DELIVERED_MEANS = 'Delivered messages as a share of all recipients, failed ones included.'

/** The definition of "still arriving", for everything that shows the figure beside the share of delivered messages. */
export const ARRIVING_MEANS =
	'Messages without a report of delivery, while a campaign is sent and for 24 hours after its start and its end.'

/** Returns a count as a share of the recipients, from 0 to 1; null without recipients. */
export function shareOf(count: number, recipients: number): number | null {
	return recipients > 0 ? Math.min(1, count / recipients) : null
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
