import type * as z from 'zod/mini'
import { NO_CREDENTIALS } from '#features/whatsapp/problems.ts'
import { problemsOf } from '#lib/app-error.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { TEST_SCOPES_ONLY } from './contract.ts'
import type { Amount as AmountShape } from './v1-fields.ts'

type Amount = z.output<typeof AmountShape>

const rupees = ({ paise }: Amount) => formatRupees(rupeesFromPaise(paise))

interface Limit {
	most: number
}

/** The faults of a request, each with its place; `reason` is the sentence of the first one. */
interface Faults {
	reason: string
	errors: readonly object[]
}

const firstFault = ({ reason }: Faults) => reason

/** Refusals of programs, of API keys and of webhook addresses. Codes that the documentation of `/v1` lists never change. */
export const problem = problemsOf({
	call_not_found: { status: 404, text: 'There is no such call' },
	method_not_allowed: {
		status: 405,
		text: ({ methods, method }: { methods: readonly string[]; method: string }) =>
			`This address takes ${methods.join(', ')}, not ${method}`,
	},
	too_many_program_calls: {
		status: 429,
		text: (_facts: { waitSeconds: number }) => 'Your account makes too many calls. Wait, then go on more slowly.',
	},
	too_many_orders: {
		status: 429,
		text: (_facts: { waitSeconds: number }) =>
			'Too many messages are being ordered at once. Send this again in a second.',
	},
	test_limit_reached: {
		status: 429,
		text: ({ most }: Limit) =>
			`Your account may have ${formatCount(most)} test messages at once. They are deleted after a day.`,
	},

	invalid: { status: 422, text: firstFault, shows: ['errors'] },
	recipient_listed: { status: 422, text: firstFault, shows: ['errors'] },
	recipient_opted_out: { status: 422, text: firstFault, shows: ['errors'] },
	recipient_unpriced: { status: 422, text: firstFault, shows: ['errors'] },
	template_not_usable: { status: 422, text: firstFault, shows: ['errors'] },
	template_not_found: { status: 404, text: ({ name }: { name: string }) => `There is no template "${name}"` },
	sender_missing: { status: 409, text: NO_CREDENTIALS },
	sender_stopped: { status: 409, text: ({ reason }: { reason: string }) => reason },
	balance_short_for_order: {
		status: 402,
		text: ({ needed, available }: { needed: number; available: number }) =>
			`This costs ${formatRupees(needed)} and your wallet has ${formatRupees(available)}. Please recharge your wallet.`,
		shows: ['needed', 'available'],
	},
	busy: {
		status: 409,
		text: ({ what }: { what: 'wallet' | 'campaign' }) =>
			what === 'wallet'
				? 'Your wallet changes too fast. Send this again.'
				: 'Another request changes this campaign. Send this again.',
	},
	idempotency_key_invalid: {
		status: 422,
		text: ({ most }: Limit) => `An Idempotency-Key has 1 to ${most} characters`,
	},
	idempotency_in_progress: {
		status: 409,
		text: 'A request with this Idempotency-Key is still under way. Send it again in some seconds.',
	},
	idempotency_key_reused: {
		status: 409,
		text: 'This Idempotency-Key was used in the last 24 hours for another request. Send a new key.',
	},

	api_key_invalid: { status: 401, text: 'Send a valid API key as "Authorization: Bearer wbm_…"' },
	network_not_allowed: {
		status: 403,
		text: ({ address }: { address: string }) => `This API key may not be used from ${address}`,
	},
	day_limit_reached: {
		status: 402,
		text: ({ needed, spent, limit }: { needed: Amount; spent: Amount; limit: Amount }) =>
			`This costs ${rupees(needed)}. The key has spent ${rupees(spent)} of its ${rupees(limit)} for today. Send it tomorrow, or with a key that may spend more.`,
		shows: ['needed', 'spent', 'limit'],
	},
	test_scopes_only: { status: 400, text: TEST_SCOPES_ONLY },
	network_invalid: {
		status: 400,
		text: ({ network }: { network: string }) => `"${network}" is no network such as 203.0.113.0/24`,
		field: 'networks',
	},
	api_key_expired_already: { status: 400, text: 'The key would have expired already', field: 'expiresAt' },
	api_keys_full: {
		status: 409,
		text: ({ most }: Limit) => `Your account has ${most} API keys, which is the most. Revoke one first.`,
	},

	webhooks_full: {
		status: 409,
		text: ({ most }: Limit) => `Your account has ${most} webhooks, which is the most. Delete one first.`,
	},
	webhook_changed: {
		status: 409,
		text: 'This webhook was changed in the meantime. Reload the page and try again.',
	},
	webhook_off: { status: 409, text: 'This webhook is switched off. Switch it on first.' },
	webhook_not_public: {
		status: 400,
		text: 'Enter a public address of your own that begins with https://. Its port is 443, or a number above 1023.',
		field: 'url',
	},
	webhook_address_unclean: {
		status: 400,
		text: 'Enter the address without a user name, password or "#"',
		field: 'url',
	},
})
