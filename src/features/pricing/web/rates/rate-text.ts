import type { RateCategory } from '#features/pricing/markets.ts'
import type { RateCard } from '#features/pricing/rate-contract.ts'
import { formatDay } from '#lib/dates.ts'

export const CATEGORY_NAMES: Record<RateCategory, string> = {
	marketing: 'Marketing',
	utility: 'Utility',
	authentication: 'Authentication',
	'authentication-international': 'Authentication-International',
	service: 'Service',
}

/** Formats a rate with the decimals of WhatsApp's cards: ₹0.8631. */
export function formatRate(rate: number, currency = 'INR'): string {
	const digits = { minimumFractionDigits: 4, maximumFractionDigits: 6 }
	return new Intl.NumberFormat('en-IN', { style: 'currency', currency, ...digits }).format(rate)
}

/** Formats a card's day as 1 Jan 2027. */
export function dayOf({ effectiveFrom }: Pick<RateCard, 'effectiveFrom'>): string {
	return formatDay(`${effectiveFrom}T00:00:00+05:30`)
}
