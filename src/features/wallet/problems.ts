import { problemsOf } from '#lib/app-error.ts'
import { formatRupees } from '#lib/money.ts'

/** Refusals of recharges, and of orders of accounts that owe money. */
export const problem = problemsOf({
	money_owed: {
		status: 402,
		text: ({ owed }: { owed: number }) =>
			`${formatRupees(owed)} of a refunded payment is owed. Please recharge: that is settled first, then you can send again.`,
		shows: ['owed'],
	},
	recharge_added_already: {
		status: 409,
		text: ({ rupees }: { rupees: number }) =>
			`This form has already added ${formatRupees(rupees)}. Close it and check the balance before you add more.`,
	},
})
