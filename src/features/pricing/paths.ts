export const pricingPaths = {
	management: '/admin/pricing/management',
	rates: '/admin/pricing/rates',
	margins: '/admin/pricing/margins',
} as const

/** Path of the call that the shell makes without its contract, which loads later. */
export const RATE_SUMMARY_PATH = '/api/pricing/rates/summary'

/** Returns the address of an account's margin. */
export function accountMarginPath(userId: string): string {
	return `${pricingPaths.margins}/${userId}`
}
