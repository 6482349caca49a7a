import { isObject, type JsonObject } from '../graph/json.ts'
import { newId, nowInSeconds, type PaymentLink } from './entities.ts'
import { RazorpayError } from './errors.ts'
import type { PaymentStore } from './payment-store.ts'

const MIN_AMOUNT = 100
const MAX_AMOUNT = 50_000_000_00
const MAX_REFERENCE = 40
const MAX_DESCRIPTION = 2_048
const MAX_NOTES = 15
const MIN_LIFE_SECONDS = 15 * 60
const MAX_LIFE_SECONDS = 184 * 24 * 60 * 60

/** Creates a link whose page is under `origin`. Throws Razorpay's error for invalid fields and for a used reference. */
export function createLink(store: PaymentStore, body: Buffer, origin: string): PaymentLink {
	const fields = readFields(body)
	const reference = textAt(fields, 'reference_id', MAX_REFERENCE)
	// A reference can be used once, even when its link has expired.
	if (reference !== '' && store.linkOf(reference)) {
		const text = `payment link with given reference_id: ${reference} already exists. Please create a payment link with a different reference_id`
		throw new RazorpayError(400, text)
	}
	const id = newId('plink')
	const link: PaymentLink = {
		id,
		order_id: newId('order'),
		reference_id: reference === '' ? id : reference,
		amount: amountOf(fields['amount']),
		amount_paid: 0,
		currency: currencyOf(fields['currency']),
		description: textAt(fields, 'description', MAX_DESCRIPTION),
		status: 'created',
		callback_url: callbackOf(fields),
		short_url: `${origin}/pay/${id}`,
		customer: objectOf(fields['customer']),
		notes: notesOf(fields['notes']),
		created_at: nowInSeconds(),
		updated_at: nowInSeconds(),
		expire_by: expiryOf(fields['expire_by']),
		expired_at: 0,
		cancelled_at: 0,
	}
	store.saveLink(link)
	return link
}

/** Returns the fields of a JSON body. Throws Razorpay's error for a body that is no JSON object. */
export function readFields(body: Buffer): JsonObject {
	try {
		const value: unknown = body.length === 0 ? {} : JSON.parse(body.toString())
		if (isObject(value)) return value
	} catch {
		// The error below answers a body that cannot be parsed.
	}
	throw new RazorpayError(400, 'The request body is not a valid JSON object.')
}

function amountOf(value: unknown): number {
	if (value === undefined || value === null || value === 0) throw refusal('amount', 'cannot be blank.')
	if (typeof value !== 'number' || !Number.isInteger(value)) throw refusal('amount', 'must be an integer.')
	if (value < MIN_AMOUNT) throw refusal('amount', 'amount should be minimum 1.00 for INR.')
	if (value > MAX_AMOUNT) throw refusal('amount', 'Amount exceeds maximum amount allowed.')
	return value
}

function currencyOf(value: unknown): string {
	if (value === undefined) return 'INR'
	if (value === 'INR') return value
	throw refusal('currency', 'wrong input field.')
}

function expiryOf(value: unknown): number {
	if (value === undefined || value === 0) return 0
	const now = nowInSeconds()
	if (typeof value !== 'number' || !Number.isInteger(value)) throw refusal('expire_by', 'must be an integer.')
	if (value < now + MIN_LIFE_SECONDS)
		throw refusal('expire_by', 'timestamp must be atleast 15 minutes in future, to allow for payment processing.')
	if (value > now + MAX_LIFE_SECONDS) throw refusal('expire_by', 'cannot be more than 6 months in the future.')
	return value
}

function callbackOf(fields: JsonObject): string {
	const url = textAt(fields, 'callback_url', MAX_DESCRIPTION)
	if (url === '') return ''
	if (!URL.canParse(url) || !/^https?:/.test(url)) throw refusal('callback_url', 'must be a valid URL.')
	if (fields['callback_method'] !== 'get') throw refusal('callback_method', 'must be get.')
	return url
}

function textAt(fields: JsonObject, name: string, maxLength: number): string {
	const value = fields[name] ?? ''
	if (typeof value !== 'string') throw refusal(name, 'must be a string.')
	if (value.length > maxLength) throw refusal(name, `the length must be no more than ${maxLength}.`)
	return value
}

function notesOf(value: unknown): JsonObject {
	const notes = objectOf(value)
	if (Object.keys(notes).length > MAX_NOTES) throw refusal('notes', `number of fields must be at most ${MAX_NOTES}.`)
	return notes
}

function objectOf(value: unknown): JsonObject {
	return isObject(value) ? value : {}
}

function refusal(field: string, text: string): RazorpayError {
	return new RazorpayError(400, `${field}: ${text}`, field)
}
