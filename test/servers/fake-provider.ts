import {
	ProviderError,
	type NewPage,
	type PaidPart,
	type PaymentProvider,
	type PaymentReading,
	type WebhookSubject,
} from '#features/payments/server/provider/provider.ts'

/** A payment provider in memory. Everything it signs has the signature `VALID`. */
export class FakeProvider implements PaymentProvider {
	static readonly VALID = 'a'.repeat(64)
	/** Pages by our reference. */
	readonly pages = new Map<string, PaymentReading & { totalPaise: number; returnUrl: string }>()
	/** Fault of the next creations: no answer before or after the page is made. */
	creation: 'works' | 'fails' | 'answer-lost' = 'works'
	/** True when the latest reading was a routine one. */
	wasRoutine = false
	/** Number of readings. */
	reads = 0
	/** True while no reading gets an answer. */
	isSilent = false
	/** Runs before each reading is answered. */
	onRead: () => Promise<void> = async () => {}
	/** Runs after each reading is made, before it is answered. */
	afterRead: () => Promise<void> = async () => {}
	#made = 0

	async createPayment({ reference, totalPaise, returnUrl }: NewPage) {
		if (this.creation === 'fails') throw new ProviderError('no answer')
		const known = this.pages.get(reference)
		const providerId = known?.providerId ?? `plink_${++this.#made}`
		const page = { providerId, url: `https://pay.example/${providerId}` }
		if (!known) this.pages.set(reference, { ...page, reference, state: 'created', parts: [], totalPaise, returnUrl })
		if (this.creation === 'answer-lost') throw new ProviderError('no answer')
		return page
	}

	async readPayment({ reference, isRoutine }: { reference: string; isRoutine: boolean }) {
		this.wasRoutine = isRoutine
		this.reads++
		if (this.isSilent) throw new ProviderError('no answer')
		await this.onRead()
		const page = this.pages.get(reference)
		const reading = page ? structuredClone(page) : null
		await this.afterRead()
		return reading
	}

	async isUntouched({ providerPaymentId: id }: { providerPaymentId: string }): Promise<boolean> {
		const parts = [...this.pages.values()].flatMap((page) => page.parts)
		return parts.every((part) => part.providerPaymentId !== id || part.refundedPaise + part.lostPaise === 0)
	}

	verifyWebhook(bytes: Buffer, signature: string): WebhookSubject | null {
		return signature === FakeProvider.VALID ? (JSON.parse(bytes.toString('utf8')) as WebhookSubject) : null
	}

	verifyReturn({ signature }: { signature: string }): boolean {
		return signature === FakeProvider.VALID
	}

	/** Pays a page, by default in full, and returns the part. */
	pay(reference: string, given: Partial<PaidPart> = {}): PaidPart {
		const page = this.pages.get(reference)
		if (!page) throw new Error(`no page ${reference}`)
		const part = {
			providerPaymentId: `pay_${reference}_${page.parts.length}`,
			paise: page.totalPaise,
			currency: 'INR',
			method: 'upi',
			paidAt: new Date(),
			refundedPaise: 0,
			lostPaise: 0,
			...given,
		}
		page.state = 'paid'
		page.parts.push(part)
		return part
	}

	async close(): Promise<void> {}
}
