import { problemsOf } from '#lib/app-error.ts'
import { formatRupees } from '#lib/money.ts'

/** Refusals of recharges. */
export const problem = problemsOf({
	recharge_added_already: {
		status: 409,
		text: ({ rupees }: { rupees: number }) =>
			`This form has already added ${formatRupees(rupees)}. Close it and check the balance before you add more.`,
	},
})
