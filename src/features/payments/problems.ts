import { problemsOf } from '#lib/app-error.ts'
import { formatRupees } from '#lib/money.ts'

/** Refusals of online payments. */
export const problem = problemsOf({
	payments_off: {
		status: 404,
		text: 'Money cannot be added online here. Please ask your administrator for a recharge.',
	},
	payment_amount_refused: {
		status: 400,
		text: ({ min, max }: { min: number; max: number }) =>
			`Enter an amount from ${formatRupees(min)} to ${formatRupees(max)}`,
		field: 'amount',
		shows: ['min', 'max'],
	},
	payment_begun_already: {
		status: 409,
		text: ({ rupees }: { rupees: number }) =>
			`This form has already begun a payment of ${formatRupees(rupees)}. Close it and look at your payments before you begin another.`,
	},
	payments_open: {
		status: 409,
		text: ({ most }: { most: number }) =>
			`${most} payments of your account are not finished. Finish one of them, or wait until they expire after a day.`,
	},
	payment_provider_silent: {
		status: 502,
		text: 'The payment page could not be opened. Nothing was charged. Please try again in a minute.',
	},
	payment_webhook_refused: { status: 401, text: 'The signature is wrong' },
	payment_return_unsigned: {
		status: 400,
		text: 'This confirmation is not valid. If you have paid, your money is added as soon as the payment is confirmed.',
	},
})
