/** Counts of one process since it began. */
export class PaymentCounters {
	/** Webhooks without a valid signature. */
	webhooksRefused = 0
	/** Calls that the provider refused or did not answer. */
	providerErrors = 0
}
