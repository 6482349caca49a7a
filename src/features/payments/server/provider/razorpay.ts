import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { Text } from '#lib/fields.ts'
import { sameText } from '#lib/server/secrets.ts'
import {
	ProviderError,
	type NewPage,
	type PaidPart,
	type PaymentProvider,
	type PaymentReading,
	type WebhookSubject,
} from './provider.ts'
import { parseJson, RazorpayClient, type RazorpayKeys } from './razorpay-client.ts'

/** Disputes per page, which is the API's maximum, and pages that are read at most. */
const DISPUTES_AT_ONCE = 100
const MAX_DISPUTE_PAGES = 10
/** Links per page, which is the maximum of the API. */
const LINKS_AT_ONCE = 100
/** Payments of one link that are read. The link closes with the first, so that a second is rare. */
const MAX_PARTS = 5

const Seconds = z.number().check(z.int(), z.gte(0), z.lte(1e10))
const Paise = z.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER))
const ShortText = Text(500)

const Link = z.object({
	id: ShortText,
	reference_id: z.nullish(ShortText),
	short_url: Text(2000).check(z.regex(/^https?:\/\//)),
	status: z.enum(['created', 'partially_paid', 'paid', 'expired', 'cancelled']),
	// Null or an empty list before the first payment. Only the call for one link fills it in.
	payments: z.nullish(z.array(z.object({ payment_id: ShortText }))),
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

const Disputes = z.object({
	items: z.array(
		z.object({ payment_id: ShortText, amount: Paise, amount_deducted: z.nullish(Paise), status: ShortText }),
	),
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

const sign = (secret: string, content: Buffer | string) => createHmac('sha256', secret).update(content).digest('hex')

const WEBHOOK_SIGNATURE = /^[0-9a-f]{64}$/

/** Subject of a signed webhook of an unknown shape. The webhook is accepted, because a repetition would have the same shape. */
const UNREADABLE: WebhookSubject = { event: 'unreadable', reference: null, providerPaymentId: null }

/**
 * Returns the provider for Razorpay's Payment Links: pages at Razorpay with UPI, cards and net banking. A link takes one
 * payment in full, in rupees.
 */
export function createRazorpay({ webhookSecret, ...keys }: RazorpayKeys & { webhookSecret: string }): PaymentProvider {
	const client = new RazorpayClient(keys)
	return {
		createPayment: (page) => createLink(client, page),
		readPayment: (payment) => readPayment(client, payment),
		verifyWebhook(bytes, signature) {
			if (!WEBHOOK_SIGNATURE.test(signature) || !sameText(signature, sign(webhookSecret, bytes))) return null
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
		return pageOf(read(Link, await client.call('POST', '/v1/payment_links', body)))
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
	// Razorpay returns the newest first. Compares the reference as well, because its filter was seen without effect.
	const path = `/v1/payment_links?reference_id=${encodeURIComponent(reference)}&count=${LINKS_AT_ONCE}`
	const { payment_links: links } = read(Links, await client.call('GET', path))
	return links.find((link) => link.reference_id === reference) ?? null
}

async function readPayment(
	client: RazorpayClient,
	{ providerId, reference }: { providerId: string | null; reference: string },
): Promise<PaymentReading | null> {
	const id = providerId ?? (await findLink(client, reference))?.id
	if (id === undefined) return null
	const link = read(Link, await client.call('GET', `/v1/payment_links/${encodeURIComponent(id)}`))
	const parts = await readParts(client, link)
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

/** Reads the collected payments of a link, oldest first, with what went back to the payer. */
async function readParts(client: RazorpayClient, link: z.output<typeof Link>): Promise<PaidPart[]> {
	const ids = [...new Set((link.payments ?? []).map((payment) => payment.payment_id))].slice(0, MAX_PARTS)
	const answers = await Promise.all(ids.map((id) => client.call('GET', `/v1/payments/${encodeURIComponent(id)}`)))
	const collected = answers.map((answer) => read(Payment, answer)).filter(({ status }) => COLLECTED.has(status))
	if (collected.length === 0) return []
	const lost = await readLostDisputes(client, Math.min(...collected.map((payment) => payment.created_at)))
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

/** Returns the paise of lost disputes by payment. The API lists the disputes of all payments, from a time on. */
async function readLostDisputes(client: RazorpayClient, fromSeconds: number): Promise<Map<string, number>> {
	const lost = new Map<string, number>()
	for (let page = 0; page < MAX_DISPUTE_PAGES; page++) {
		const path = `/v1/disputes?from=${fromSeconds}&count=${DISPUTES_AT_ONCE}&skip=${page * DISPUTES_AT_ONCE}`
		const { items } = read(Disputes, await client.call('GET', path))
		for (const dispute of items.filter(({ status }) => status === 'lost')) {
			const paise = dispute.amount_deducted || dispute.amount
			lost.set(dispute.payment_id, (lost.get(dispute.payment_id) ?? 0) + paise)
		}
		if (items.length < DISPUTES_AT_ONCE) break
	}
	return lost
}

function read<T extends z.ZodMiniType>(shape: T, answer: unknown): z.output<T> {
	const result = shape.safeParse(answer)
	if (result.success) return result.data
	throw new ProviderError(`Razorpay's answer could not be read: ${z.prettifyError(result.error).slice(0, 300)}`)
}
