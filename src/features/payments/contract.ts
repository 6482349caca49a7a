import * as z from 'zod/mini'
import { Amount } from '#features/wallet/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Limit, Page, PAGE_SIZE, RowId, Text, Time } from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'

export const PAYMENT_STATES = ['created', 'paid', 'expired', 'cancelled', 'refunded', 'disputed'] as const
export const PaymentState = z.enum(PAYMENT_STATES)
export type PaymentState = z.output<typeof PaymentState>

/** A fault of a paid payment, which an admin has to resolve. */
export const PaymentFault = z.enum(['amount', 'currency', 'paid-twice'])
export type PaymentFault = z.output<typeof PaymentFault>

/** A credit or debit note of a payment's tax invoice, which a refund issued; its total in rupees. */
export const PaymentNote = z.object({
	/** Id for `wallet.taxNote`. */
	_id: RowId,
	kind: z.enum(['credit', 'debit']),
	/** Number such as `CN/26-27/000123`. */
	number: z.string(),
	total: z.number(),
})
export type PaymentNote = z.output<typeof PaymentNote>

/** An online payment; amounts in rupees. */
export const PaymentRow = z.object({
	_id: RowId,
	createdAt: Time,
	paidAt: z.nullable(Time),
	/** Money that the wallet gets. */
	amount: z.number(),
	tax: z.number(),
	/** Money that the payer pays: amount and tax. */
	total: z.number(),
	/** Part of the total that went back to the payer. */
	refunded: z.number(),
	state: PaymentState,
	/** The provider's method such as `upi`. */
	method: z.nullable(z.string()),
	reference: z.string(),
	/** The provider's page; null unless the payment can still be made. */
	url: z.nullable(z.string()),
	/** Id for `wallet.receipt`; null while the wallet is not credited. */
	receiptId: z.nullable(RowId),
	/** Notes of the tax invoice, oldest first. */
	notes: z.array(PaymentNote),
	/** Path to which the payer returns. */
	back: z.nullable(z.string()),
	problem: z.nullable(PaymentFault),
})
export type PaymentRow = z.output<typeof PaymentRow>

const PaymentAnswer = z.object({ payment: PaymentRow })
const ofPayment = z.object({ paymentId: Id })

/** A page of the user's side of the product, with its search. No `//`, which begins another host. */
export const BackPath = Text(500, { tooLong: 'Not a valid path' }).check(
	z.regex(/^(?:\/[\w.~%-]+)+(?:\?[\w.~%=&+-]*)?$/, 'Not a valid path'),
	z.refine((path) => !['admin', 'api'].includes(path.split('/')[1] ?? ''), 'Not a valid path'),
)

export const PaymentBody = z.object({
	amount: Amount,
	requestId: RequestId,
	back: z.optional(BackPath),
})

/** The parameters that the provider adds to the return address. */
export const ReturnBody = z.object({
	razorpay_payment_id: Text(100),
	razorpay_payment_link_id: Text(100),
	razorpay_payment_link_reference_id: Text(100),
	razorpay_payment_link_status: Text(100),
	razorpay_signature: Text(200),
})
export type ReturnBody = z.output<typeof ReturnBody>

export const payments = {
	/** `owed` is money of refunded payments that the next recharge settles first. Answers 404 without a provider. */
	options: endpoint('GET /api/payments/options', {
		access: 'owner',
		response: z.object({
			presets: z.array(z.number()),
			min: z.number(),
			max: z.number(),
			gstPercent: z.number(),
			owed: z.number(),
			taxKind: z.enum(['none', 'cgst-sgst', 'igst']),
		}),
	}),
	/** Begins a payment; the browser then goes to its `url`. A repeated `requestId` answers with the same payment. */
	create: endpoint('POST /api/payments', {
		access: 'owner',
		perMinute: 30,
		body: PaymentBody,
		response: PaymentAnswer,
	}),
	list: endpoint('GET /api/payments', {
		access: 'manager',
		query: z.object({ page: Page, limit: Limit(PAGE_SIZE) }),
		response: z.object({ payments: z.array(PaymentRow), page: z.int(), pages: z.int(), total: z.int() }),
	}),
	one: endpoint('GET /api/payments/{paymentId}', {
		access: 'manager',
		params: ofPayment,
		response: PaymentAnswer,
	}),
	/** Asks for a check of the payment on the provider's signed return; the answer may still say `created`. */
	returned: endpoint('POST /api/payments/{paymentId}/return', {
		access: 'owner',
		perMinute: 60,
		params: ofPayment,
		body: ReturnBody,
		response: PaymentAnswer,
	}),
}
