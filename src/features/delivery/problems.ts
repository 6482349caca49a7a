import { problemsOf } from '#lib/app-error.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'

/** Errors of changes to a campaign: of its status, its restored count or its price. */
export const problem = problemsOf({
	campaign_status_refuses: {
		status: 409,
		text: ({ status, verb }: { status: string; verb: string }) => `A campaign that is ${status} cannot be ${verb}`,
	},
	campaign_undecided: { status: 409, text: 'First choose how many of its messages count as sent.' },
	campaign_not_restored: {
		status: 409,
		text: 'This campaign was not restored from a backup, or that was decided already.',
	},
	restored_count_invalid: {
		status: 400,
		text: ({ least, most }: { least: number; most: number }) =>
			`Choose a number from ${formatCount(least)} to ${formatCount(most)}.`,
		field: 'sentThrough',
	},
	campaign_unpriced: {
		status: 409,
		text: 'No recipient is left: messages to their countries are blocked or have no price. Cancel the campaign.',
	},
	balance_short_for_price: {
		status: 402,
		text: ({ needed, available }: { needed: number; available: number }) =>
			`The new price needs ${formatRupees(needed)} more, but the wallet has ${formatRupees(available)}. Please recharge.`,
		shows: ['needed', 'available'],
	},
})
