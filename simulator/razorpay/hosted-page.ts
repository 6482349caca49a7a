import type { Answer, Received } from '../http/answer.ts'
import { escapeHtml } from '../http/html.ts'
import type { NetworkState } from '../network-state.ts'
import type { Method, PaymentLink } from './entities.ts'
import { PAGE_STYLE } from './page-style.ts'
import { cancelLink, expireDueLink, failPayment, payLink } from './payment-events.ts'
import { returnUrl } from './signatures.ts'

export const PAYMENT_PAGE_PATH = '/pay/'

const METHODS: Record<Method, string> = { upi: 'Pay by UPI', card: 'Pay by card', netbanking: 'Pay by net banking' }

/** Answers `/pay/{id}`: the page on which a customer pays a link, and its buttons, which need no script. */
export function answerPaymentPage(state: NetworkState, { method, url, body }: Received): Answer {
	const { payments } = state
	const id = (url.split('?')[0] ?? '').slice(PAYMENT_PAGE_PATH.length)
	const link = payments.store.links.get(id)
	if (!link) return pageAnswer(404, 'Payment', ['<p class="note">This payment link does not exist.</p>'])
	expireDueLink(payments, link)
	if (method !== 'POST' || link.status !== 'created') return showLink(state, link)
	const choice = new URLSearchParams(body.toString()).get('choice') ?? ''
	if (choice in METHODS) return goBack(state, link, payLink(payments, link, { method: choice as Method }).id)
	if (choice === 'cancel') {
		cancelLink(payments, link)
		return goBack(state, link, '')
	}
	if (choice === 'fail') failPayment(payments, link, 'upi')
	return showLink(state, link, choice === 'fail')
}

/** Sends the customer back to the merchant; the page itself shows the result of a link without a return address. */
function goBack(state: NetworkState, link: PaymentLink, paymentId: string): Answer {
	const location = returnUrl(link, paymentId, state.payments.store.merchant)
	if (location === null) return showLink(state, link)
	return { status: 303, headers: { ...HEADERS, location }, body: '' }
}

function showLink(state: NetworkState, link: PaymentLink, hasFailed = false): Answer {
	const { merchant } = state.payments.store
	const head = [
		`<header><p>${escapeHtml(merchant.name)}</p><p class="amount">${formatAmount(link)}</p>`,
		`<p>${escapeHtml(link.description)}</p></header>`,
	]
	return pageAnswer(200, `Pay ${merchant.name}`, [
		...head,
		...(link.status === 'created' ? choices(hasFailed) : result(state, link)),
	])
}

function choices(hasFailed: boolean): string[] {
	return [
		...(hasFailed
			? [
					'<p class="note" role="alert">Your bank declined the payment. No money was taken. Try again or use another method.</p>',
				]
			: []),
		'<form method="post">',
		...Object.entries(METHODS).map(
			([choice, label]) =>
				`<button class="${choice === 'upi' ? 'main' : ''}" name="choice" value="${choice}">${label}</button>`,
		),
		'<div class="rest"><button class="quiet" name="choice" value="fail">Let it fail</button>',
		'<button class="quiet" name="choice" value="cancel">Cancel</button></div></form>',
		'<footer>This page pretends to be Razorpay. No real money moves.</footer>',
	]
}

const RESULTS: Record<Exclude<PaymentLink['status'], 'created'>, string> = {
	paid: 'This amount has been paid.',
	expired: 'This payment link has expired. Start again where you came from.',
	cancelled: 'This payment was cancelled. No money was taken.',
}

function result({ payments: { store } }: NetworkState, link: PaymentLink): string[] {
	if (link.status === 'created') return []
	const paid = store.paymentsOf(link).find(({ status }) => status !== 'failed')
	const back = returnUrl(link, paid?.id ?? '', store.merchant)
	return [
		`<p class="note">${RESULTS[link.status]}</p>`,
		...(back === null ? [] : [`<p><a class="button" href="${escapeHtml(back)}">Go back</a></p>`]),
	]
}

function formatAmount({ amount, currency }: PaymentLink): string {
	return new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(amount / 100)
}

const HEADERS = {
	'content-type': 'text/html; charset=UTF-8',
	'cache-control': 'no-store',
	// Browsers apply form-action to redirects too, and the merchant's page may have any address.
	'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
	'referrer-policy': 'no-referrer',
}

function pageAnswer(status: number, title: string, content: string[]): Answer {
	const page = [
		'<!doctype html><html lang="en"><head><meta charset="utf-8">',
		'<meta name="viewport" content="width=device-width, initial-scale=1">',
		`<title>${escapeHtml(title)}</title><style>${PAGE_STYLE}</style></head><body><main>`,
		'<p class="brand">Razorpay <span>simulated</span></p>',
		...content,
		'</main></body></html>',
	]
	return { status, headers: HEADERS, body: page.join('\n') }
}
