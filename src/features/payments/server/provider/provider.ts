/** A payment page to be made at the provider. */
export interface NewPage {
	/** Our id of the payment, unique at the provider and at most 40 characters long. */
	reference: string
	/** Paise that the payer pays. */
	totalPaise: number
	description: string
	expiresAt: Date
	/** Address to which the provider returns the payer. */
	returnUrl: string
}

/** A payment page at the provider. */
export interface Page {
	providerId: string
	url: string
}

/** Money that one payer has paid on a page. */
export interface PaidPart {
	providerPaymentId: string
	paise: number
	currency: string
	method: string | null
	paidAt: Date
	/** Paise that were refunded to the payer. */
	refundedPaise: number
	/** Paise of lost disputes. */
	lostPaise: number
}

/** The state of a payment, as the provider reports it. */
export interface PaymentReading extends Page {
	reference: string
	state: 'created' | 'paid' | 'expired' | 'cancelled'
	/** Collected payments of the page, oldest first; more than one when it was paid twice. */
	parts: PaidPart[]
}

/** The payment that a webhook is about; both null for an event about something else. */
export interface WebhookSubject {
	event: string
	reference: string | null
	providerPaymentId: string | null
}

/** A payment provider with hosted pages. Another provider is another object of this type. */
export interface PaymentProvider {
	/**
	 * Makes a page, or returns the page that an earlier attempt has made for this reference. Throws a `ProviderError` when
	 * it is unknown whether a page exists; the caller repeats the call.
	 */
	createPayment(page: NewPage): Promise<Page>
	/**
	 * Reads a payment by the page's id, or by its reference while the id is unknown; null when the provider has none. A routine
	 * reading may miss a dispute that was lost in the last hour.
	 */
	readPayment(payment: {
		providerId: string | null
		reference: string
		isRoutine: boolean
	}): Promise<PaymentReading | null>
	/**
	 * Returns true when nothing of a collected payment had gone back to its payer an hour ago. One listing serves all payments, so
	 * that this costs less than a reading.
	 */
	isUntouched(part: Pick<PaidPart, 'providerPaymentId' | 'paidAt'>): Promise<boolean>
	/** Returns the subject of a webhook; null for a wrong signature. */
	verifyWebhook(bytes: Buffer, signature: string): WebhookSubject | null
	/** Returns true when the provider signed these parameters of a return. */
	verifyReturn(parameters: SignedReturn): boolean
	/** Closes the connections. */
	close(): Promise<void>
}

export interface SignedReturn {
	providerId: string
	reference: string
	status: string
	providerPaymentId: string
	signature: string
}

/** A call that the provider refused or did not answer. */
export class ProviderError extends Error {
	/** HTTP status; null without an answer. */
	readonly status: number | null

	constructor(message: string, { status = null, cause }: { status?: number | null; cause?: unknown } = {}) {
		super(message, { cause })
		this.name = 'ProviderError'
		this.status = status
	}
}
