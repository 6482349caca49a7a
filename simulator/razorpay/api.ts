import { timingSafeEqual } from 'node:crypto'
import { withFaults } from '../graph/with-faults.ts'
import { type Answer, jsonAnswer, type Received } from '../http/answer.ts'
import { originOf } from '../http/origin.ts'
import type { NetworkState } from '../network-state.ts'
import { type CallFault, type ConnectionFault, isConnectionFault } from '../network/faults.ts'
import { createLink, readFields } from './create-link.ts'
import type { Payment, PaymentLink } from './entities.ts'
import { errorOfStatus, notFound, RazorpayError, unknownUrl } from './errors.ts'
import { cancelLink, expireDueLink, refundPayment } from './payment-events.ts'
import { disputeShape, linkShape, paymentShape, refundShape } from './shapes.ts'

const PATH = /^\/v1\/(payment_links|payments|disputes|refunds)(?:\/([\w-]+)(?:\/(\w+))?)?\/?$/
const DEFAULT_COUNT = 10
const MAX_COUNT = 100

/** Returns true for a path of Razorpay's API. */
export function isPaymentCall(url = '/'): boolean {
	return /^\/v1\/(?:payment_links|payments|disputes|refunds)\b/.test(url)
}

/** Returns the name under which faults refer to a call. */
export function paymentCallName(method: string, url: string): string {
	const [, kind, id, action] = PATH.exec(pathOf(url)) ?? []
	if (kind === 'payment_links' && action !== undefined) return `razorpay.${action}`
	if (kind === 'payment_links') return method === 'POST' ? 'razorpay.create' : id ? 'razorpay.link' : 'razorpay.links'
	if (kind === 'payments') return action === 'refund' ? 'razorpay.refund' : 'razorpay.payment'
	return `razorpay.${kind ?? 'disputes'}`
}

/** Answers the calls of Razorpay's API for payment links, payments, refunds and disputes. */
export async function answerPaymentCall(state: NetworkState, received: Received): Promise<Answer> {
	const { method, url } = received
	const connectionFaults: ConnectionFault[] = []
	try {
		checkKeys(state, received)
		const faults = state.faults.take({ name: paymentCallName(method, url), phoneNumberId: null, to: null })
		connectionFaults.push(...faults.filter(isConnectionFault))
		const value = await withFaults({ state, connectionFaults: [], refusal }, faults, () => route(state, received))
		return { ...jsonAnswer(200, value), connectionFaults }
	} catch (error) {
		if (error instanceof RazorpayError) return { ...jsonAnswer(error.status, error.body), connectionFaults }
		throw error
	}
}

function refusal({ status = 400 }: Extract<CallFault, { kind: 'error' }>): Error {
	return errorOfStatus(status)
}

function checkKeys({ payments }: NetworkState, { headers }: Received): void {
	const { key_id, key_secret } = payments.store.merchant
	const expected = Buffer.from(`Basic ${Buffer.from(`${key_id}:${key_secret}`).toString('base64')}`)
	const given = Buffer.from(headers.authorization ?? '')
	if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw errorOfStatus(401)
}

function route(state: NetworkState, received: Received): unknown {
	const { method, url, body } = received
	const { payments } = state
	const { store } = payments
	const match = PATH.exec(pathOf(url))
	if (!match) throw unknownUrl()
	const [, kind, id, action] = match
	const call = `${method} ${kind}${id === undefined ? '' : '/id'}${action === undefined ? '' : `/${action}`}`
	switch (call) {
		case 'POST payment_links':
			return linkShape(createLink(store, body, originOf(state, received.headers)))
		case 'GET payment_links':
			return { payment_links: listLinks(state, url) }
		case 'GET payment_links/id': {
			const link = linkWith(state, id)
			return linkShape(link, store.paymentsOf(link))
		}
		case 'POST payment_links/id/cancel': {
			const link = linkWith(state, id)
			cancelLink(payments, link)
			return linkShape(link)
		}
		case 'GET payments/id':
			return paymentShape(paymentWith(state, id))
		case 'POST payments/id/refund': {
			const { amount } = readFields(body)
			return refundShape(refundPayment(payments, paymentWith(state, id), amount as number | undefined))
		}
		case 'GET refunds':
			return collection(page([...store.refunds.values()], url).map(refundShape))
		case 'GET disputes':
			return collection(page([...store.disputes.values()], url).map(disputeShape))
		case 'GET disputes/id': {
			const dispute = store.disputes.get(id ?? '')
			if (!dispute) throw notFound()
			return disputeShape(dispute)
		}
		default:
			throw unknownUrl()
	}
}

function linkWith({ payments }: NetworkState, id = ''): PaymentLink {
	const link = payments.store.links.get(id)
	if (!link) throw notFound()
	expireDueLink(payments, link)
	return link
}

function paymentWith({ payments }: NetworkState, id = ''): Payment {
	const payment = payments.store.payments.get(id)
	if (!payment) throw notFound()
	return payment
}

function listLinks({ payments }: NetworkState, url: string): unknown[] {
	const { store } = payments
	const reference = queryOf(url).get('reference_id')
	const filter = store.merchant.reference_filter
	if (reference !== null && filter === 'empty') return []
	const known = reference !== null && filter === 'honoured' ? [store.linkOf(reference)] : [...store.links.values()]
	const links = known.filter((link) => link !== undefined)
	for (const link of links) expireDueLink(payments, link)
	return page(links, url).map((link) => linkShape(link))
}

function collection(items: unknown[]): unknown {
	return { entity: 'collection', count: items.length, items }
}

/** Returns the items between the times `from` and `to`, newest first, without the first `skip`, and at most `count`. */
function page<T extends { created_at: number }>(items: readonly T[], url: string): T[] {
	const query = queryOf(url)
	const numberAt = (name: string, missing: number) => {
		const value = Number(query.get(name) ?? missing)
		if (Number.isInteger(value) && value >= 0) return value
		throw new RazorpayError(400, `The ${name} must be an integer.`, name)
	}
	const [from, to] = [numberAt('from', 0), numberAt('to', Number.MAX_SAFE_INTEGER)]
	const [count, skip] = [numberAt('count', DEFAULT_COUNT), numberAt('skip', 0)]
	if (count < 1 || count > MAX_COUNT) throw new RazorpayError(400, 'The count must be between 1 and 100.', 'count')
	const wanted = items.filter(({ created_at: at }) => at >= from && at <= to).toReversed()
	return wanted.slice(skip, skip + count)
}

function pathOf(url: string): string {
	return url.split('?')[0] ?? ''
}

function queryOf(url: string): URLSearchParams {
	return new URL(url, 'http://simulator').searchParams
}
