import { templateTitle } from '#features/templates/template-words.ts'
import { problemsOf } from '#lib/app-error.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'

interface Limit {
	most: number
}

interface Status {
	status: string
}

interface NamedTemplate {
	template: string
}

/** Errors of orders of campaigns, and of changes to campaigns. */
export const problem = problemsOf({
	estimate_too_slow: { status: 503, text: 'Counting the recipients took too long. Try again later.' },
	balance_short_for_campaign: {
		status: 402,
		text: ({ needed, available }: { needed: number; available: number }) =>
			`This campaign needs ${formatRupees(needed)}, but the wallet has ${formatRupees(available)}. Please recharge.`,
		shows: ['needed', 'available'],
	},
	price_changed: {
		status: 409,
		text: ({ price }: { price: number }) =>
			`A message costs ${formatRupees(price)} by now. Check the cost of the campaign, then send again.`,
		shows: ['price'],
	},
	message_price_changed: {
		status: 409,
		text: ({ price }: { price: number }) =>
			`This message costs ${formatRupees(price)} by now. Check the price, then send again.`,
		shows: ['price'],
	},
	abroad_prices_changed: {
		status: 409,
		text: 'Messages to other countries have other prices by now. Check the cost of the campaign, then send again.',
	},
	form_created_campaign: {
		status: 409,
		text: ({ name }: { name: string; createdId: string }) =>
			`This form has already created the campaign "${name}". To create another one as well, send again.`,
		shows: ['createdId'],
	},
	campaigns_full: {
		status: 409,
		text: ({ most }: Limit) =>
			`Your account has ${plural(most, 'campaign')} that are scheduled, paused or being sent, which is the most at once. ` +
			'Wait until some are completed, or cancel some.',
	},

	recipients_missing: { status: 400, text: 'This campaign has no recipients' },
	recipients_unpriced: {
		status: 400,
		text: ({ markets }: { markets: readonly string[] }) =>
			`This campaign has no recipients: your prices have none for messages to ${new Intl.ListFormat('en').format(markets)}. Ask your administrator.`,
	},
	group_empty: { status: 400, text: 'This group would have no recipients' },
	number_column_missing: { status: 400, text: 'Choose the column that holds the phone numbers' },
	/** The sentence of a rule for values, about the first value that does not fit. */
	values_unfit: { status: 400, text: ({ reason }: { reason: string }) => reason },
	template_gone_at_meta: {
		status: 400,
		text: ({ template }: NamedTemplate) => `The template "${templateTitle(template)}" no longer exists at WhatsApp`,
	},
	template_not_approved: {
		status: 400,
		text: ({ template }: NamedTemplate) => `The template "${templateTitle(template)}" is not approved`,
	},
	template_gone: {
		status: 400,
		text: ({ template }: NamedTemplate) => `The template "${templateTitle(template)}" is gone`,
	},

	campaign_of_program: { status: 409, text: 'Messages that a program has sent cannot be changed' },
	campaign_unchangeable: {
		status: 409,
		text: ({ status }: Status) => `A campaign that is ${status} cannot be changed`,
	},
	campaign_started: { status: 409, text: 'This campaign has already started' },

	drafts_full: {
		status: 409,
		text: ({ most }: Limit) => `Your account has ${most} drafts, which is the most. Start or cancel one first.`,
	},
	list_closed: { status: 409, text: ({ status }: Status) => `A campaign that is ${status} takes no more recipients` },
	list_too_long: {
		status: 422,
		text: ({ most }: Limit) => `A campaign has at most ${formatCount(most)} recipients`,
	},
	list_unstartable: { status: 409, text: ({ status }: Status) => `A campaign that is ${status} cannot be started` },

	test_while_stopped: {
		status: 409,
		text: ({ reason }: { reason: string }) => `Sending has stopped, so the test was not sent. ${reason}`,
	},
	test_values_missing: {
		status: 400,
		text: ({ tags }: { tags: readonly string[] }) =>
			`The test was not sent: nothing is known for ${tags.join(', ')}. Type a value to test with, or send the test to a contact who has one.`,
	},
})
