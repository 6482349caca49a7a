import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { Text } from '#lib/fields.ts'
import { isSignedBy, sameText } from '#lib/server/secrets.ts'
import { parseJson } from '#lib/text/parse-json.ts'
import {
	ProviderError,
	type NewPage,
	type PaidPart,
	type PaymentProvider,
	type PaymentReading,
	type WebhookSubject,
} from './provider.ts'
import { Paise, RazorpayClient, readAnswer, ShortText, type RazorpayKeys } from './razorpay-client.ts'
import { ReversedMoney } from './reversed-money.ts'

/** Links per page, which is the maximum of the API. */
const LINKS_AT_ONCE = 100
/** Payments of one link that are read at most, without failed attempts. The link closes with the first, so that a second is rare. */
const MAX_PARTS = 20

const Seconds = z.number().check(z.int(), z.gte(0), z.lte(1e10))

const Link = z.object({
	id: ShortText,
	reference_id: z.nullish(ShortText),
	short_url: Text(2000).check(z.regex(/^https?:\/\//)),
	status: z.enum(['created', 'partially_paid', 'paid', 'expired', 'cancelled']),
	// Null or an empty list before the first payment. Only the call for one link fills it in.
	payments: z.nullish(z.array(z.object({ payment_id: ShortText, status: z.nullish(ShortText) }))),
})
const Links = z.object({ payment_links: z.array(Link) })

const Payment = z.object({
	id: ShortText,
	amount: Paise,
	currency: ShortText,
	status: ShortText,
	method: z.nullish(ShortText),
	amount_refunded: z.nullish(Paise),
	created_at: Seconds,
})

/** Statuses of a payment whose money was collected. An authorized payment is not collected yet. */
const COLLECTED = new Set(['captured', 'refunded'])

const entity = <T extends z.ZodMiniType>(shape: T) => z.optional(z.object({ entity: shape }))
const Webhook = z.object({
	event: Text(100),
	payload: z.optional(
		z.object({
			payment_link: entity(z.object({ reference_id: z.nullish(ShortText) })),
			payment: entity(z.object({ id: ShortText })),
			refund: entity(z.object({ payment_id: ShortText })),
			dispute: entity(z.object({ payment_id: ShortText })),
		}),
	),
})

const sign = (secret: string, content: string) => createHmac('sha256', secret).update(content).digest('hex')

/** Subject of a signed webhook of an unknown shape. The webhook is accepted, because a repetition would have the same shape. */
const UNREADABLE: WebhookSubject = { event: 'unreadable', reference: null, providerPaymentId: null }

/**
 * Returns the provider for Razorpay's Payment Links: pages at Razorpay with UPI, cards and net banking. A link takes one
 * payment in full, in rupees.
 */
export function createRazorpay({ webhookSecret, ...keys }: RazorpayKeys & { webhookSecret: string }): PaymentProvider {
	const client = new RazorpayClient(keys)
	const disputes = new ReversedMoney(client, 'disputes')
	const refunds = new ReversedMoney(client, 'refunds')
	return {
		createPayment: (page) => createLink(client, page),
		readPayment: (payment) => readPayment(client, disputes, payment),
		async isUntouched({ providerPaymentId, paidAt }) {
			const fromSeconds = Math.floor(paidAt.getTime() / 1000)
			const lists = await Promise.all([refunds, disputes].map((money) => money.since(fromSeconds, true)))
			return lists.every((sums) => sums !== null && !sums.has(providerPaymentId))
		},
		verifyWebhook(bytes, signature) {
			if (!isSignedBy(webhookSecret, bytes, `sha256=${signature}`)) return null
			const webhook = Webhook.safeParse(parseJson(bytes.toString('utf8')))
			if (!webhook.success) return UNREADABLE
			const { event, payload = {} } = webhook.data
			return {
				event,
				reference: payload.payment_link?.entity.reference_id ?? null,
				providerPaymentId:
					payload.payment?.entity.id ?? payload.refund?.entity.payment_id ?? payload.dispute?.entity.payment_id ?? null,
			}
		},
		verifyReturn({ providerId, reference, status, providerPaymentId, signature }) {
			const signed = [providerId, reference, status, providerPaymentId].join('|')
			return sameText(signature, sign(keys.keySecret, signed))
		},
		close: () => client.close(),
	}
}

/**
 * Makes a link. Razorpay refuses a second link of the same reference, so that a repetition finds the link of an attempt whose
 * answer was lost.
 */
async function createLink(client: RazorpayClient, page: NewPage): Promise<{ providerId: string; url: string }> {
	const body = {
		amount: page.totalPaise,
		currency: 'INR',
		accept_partial: false,
		reference_id: page.reference,
		description: page.description,
		expire_by: Math.floor(page.expiresAt.getTime() / 1000),
		notify: { sms: false, email: false },
		reminder_enable: false,
		callback_url: page.returnUrl,
		callback_method: 'get',
	}
	try {
		return pageOf(readAnswer(Link, await client.call('POST', '/v1/payment_links', body)))
	} catch (error) {
		const known = await findLink(client, page.reference).catch(() => null)
		if (known) return pageOf(known)
		throw error
	}
}

function pageOf({ id, short_url: url }: z.output<typeof Link>) {
	return { providerId: id, url }
}

async function findLink(client: RazorpayClient, reference: string): Promise<z.output<typeof Link> | null> {
	// Razorpay returns the newest first. Compares the reference as well, because Razorpay has been seen to ignore its filter.
	const path = `/v1/payment_links?reference_id=${encodeURIComponent(reference)}&count=${LINKS_AT_ONCE}`
	const { payment_links: links } = readAnswer(Links, await client.call('GET', path))
	return links.find((link) => link.reference_id === reference) ?? null
}

async function readPayment(
	client: RazorpayClient,
	disputes: ReversedMoney,
	{ providerId, reference, isRoutine }: Parameters<PaymentProvider['readPayment']>[0],
): Promise<PaymentReading | null> {
	const id = providerId ?? (await findLink(client, reference))?.id
	if (id === undefined) return null
	const link = readAnswer(Link, await client.call('GET', `/v1/payment_links/${encodeURIComponent(id)}`))
	const collected = await readCollected(client, link)
	const parts = collected.length > 0 ? await withLost(disputes, collected, isRoutine) : []
	const isPaid = parts.length > 0
	if (link.status === 'paid' && !isPaid) throw new ProviderError('Razorpay names no payment of a paid link')
	const state = isPaid ? 'paid' : link.status
	return {
		...pageOf(link),
		reference: link.reference_id ?? '',
		state: state === 'partially_paid' ? 'created' : state,
		parts,
	}
}

/** Reads the collected payments of a link. */
async function readCollected(client: RazorpayClient, link: z.output<typeof Link>): Promise<z.output<typeof Payment>[]> {
	const notFailed = (link.payments ?? []).filter(({ status }) => status !== 'failed')
	const ids = [...new Set(notFailed.map((payment) => payment.payment_id))]
	if (ids.length > MAX_PARTS)
		throw new ProviderError(`Razorpay's link ${link.id} has ${ids.length} payments, and at most ${MAX_PARTS} are read`)
	const answers = await Promise.all(ids.map((id) => client.call('GET', `/v1/payments/${encodeURIComponent(id)}`)))
	return answers.map((answer) => readAnswer(Payment, answer)).filter(({ status }) => COLLECTED.has(status))
}

/** Returns the parts of collected payments, oldest first, with their refunds and lost disputes. */
async function withLost(
	disputes: ReversedMoney,
	collected: readonly z.output<typeof Payment>[],
	isRoutine: boolean,
): Promise<PaidPart[]> {
	const fromSeconds = Math.min(...collected.map((payment) => payment.created_at))
	const lost = await disputes.since(fromSeconds, isRoutine)
	if (!lost) throw new ProviderError(`Razorpay has more disputes since ${fromSeconds} than are read`)
	return collected
		.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
		.map((payment) => ({
			providerPaymentId: payment.id,
			paise: payment.amount,
			currency: payment.currency,
			method: payment.method ?? null,
			paidAt: new Date(payment.created_at * 1000),
			refundedPaise: payment.amount_refunded ?? 0,
			lostPaise: lost.get(payment.id) ?? 0,
		}))
}
