export const paymentPaths = {
	/** Page to which the provider returns the payer, followed by the payment's id. */
	payment: '/user/payment',
	/** The admins' list. */
	all: '/admin/recharge/wallet/payments',
} as const

export function paymentPath(id: string | number): string {
	return `${paymentPaths.payment}/${id}`
}
