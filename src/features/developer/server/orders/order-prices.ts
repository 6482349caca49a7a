import { marketName, marketOf } from '#features/pricing/markets.ts'
import { recipientPriceOf, type MarketPrices } from '#features/pricing/rules.ts'
import type { AppError } from '#lib/app-error.ts'
import { invalid } from '../faults.ts'

interface PricedOrder {
	order: { isList: boolean }
	messages: readonly { number: string }[]
}

/** Returns the place in the body of the number of an order's message. */
export function recipientPath({ isList }: PricedOrder['order'], index: number): string {
	return isList ? `/messages/${index}/to` : '/to'
}

/** Returns the prices of an order's messages in paise. Each recipient has a price. */
function pricesOfMessages(prices: MarketPrices, { messages }: Pick<PricedOrder, 'messages'>): number[] {
	return messages.map(({ number }) => {
		const price = recipientPriceOf(prices, number)
		if (typeof price !== 'number') throw new Error('a recipient without a price was not refused')
		return price
	})
}

/** Returns the prices of an order's messages as its answer stores them. */
export function presentedPrices(prices: MarketPrices, one: PricedOrder): { pricePaise: number; prices?: number[] } {
	const { pricePaise, abroadPrices } = prices
	if (!abroadPrices) return { pricePaise }
	const own = pricesOfMessages(prices, one)
	return one.order.isList ? { pricePaise, prices: own } : { pricePaise: own[0] ?? pricePaise }
}

/** Returns the sum of an order's messages in paise. */
export function costOfOrder(prices: MarketPrices, order: Pick<PricedOrder, 'messages'>): number {
	if (!prices.abroadPrices) return order.messages.length * prices.pricePaise
	return pricesOfMessages(prices, order).reduce((sum, paise) => sum + paise, 0)
}

/** Returns the error that names the recipients of an order whose market has no price; null when each has one. */
export function unpricedRefusal(prices: MarketPrices, { order, messages }: PricedOrder): AppError | null {
	if (!prices.abroadPrices) return null
	const faults = messages.flatMap(({ number }, index) => {
		const price = recipientPriceOf(prices, number)
		if (typeof price === 'number') return []
		const market = marketName(marketOf(number))
		const detail = price === 'blocked' ? `Messages to ${market} are blocked` : `Messages to ${market} have no price`
		return [{ path: recipientPath(order, index), detail }]
	})
	return faults.length > 0 ? invalid(faults, 'recipient_unpriced') : null
}
