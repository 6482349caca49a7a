import type { Margin } from '#features/dashboards/margin-contract.ts'
import { formatRupees, withGst } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'

/** Returns what WhatsApp's charge leaves out, or "₹1,018.00 with GST". */
export function chargeText({ cost, unrated }: Pick<Margin, 'cost' | 'unrated'>): string {
	return unrated > 0
		? `Without ${plural(unrated, 'message')} of unknown rate`
		: `${formatRupees(withGst(cost))} with GST`
}

/** Returns "₹152.00 unless you claim GST back": the margin when the GST on WhatsApp's charge is a cost as well. */
export function marginWithGstText({ revenue, cost }: Pick<Margin, 'revenue' | 'cost'>): string {
	return `${formatRupees(revenue - withGst(cost))} unless you claim GST back`
}
