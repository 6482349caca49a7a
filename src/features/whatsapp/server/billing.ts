/** How Meta bills a WABA. Null is unknown: Meta did not return the field, or the account was never read. */
export interface Billing {
	/** ISO 4217; Meta fixes it when the account is made. */
	billingCurrency: string | null
	/** ISO 3166, two letters. */
	billingCountry: string | null
	/** Meta's number of a time zone: its months and days begin there. */
	billingTimezoneId: string | null
	hasPaymentMethod: boolean | null
}

/** Billing that could not be read. */
export const UNKNOWN_BILLING: Billing = {
	billingCurrency: null,
	billingCountry: null,
	billingTimezoneId: null,
	hasPaymentMethod: null,
}

export interface BillingProblem {
	kind: 'currency' | 'payment-method'
	/** The problem with what to do about it, for the account's users. */
	user: string
	/** The same for admins. */
	admin: string
}

const INDIA = 'IN'
const INDIAN_CALLING_CODE = '91'
const RUPEES = 'INR'

/**
 * Returns why Meta will not deliver the account's messages, the worst first. The country of an account that Meta does not
 * name is that of its number.
 */
export function billingProblems(
	{ billingCurrency, billingCountry, hasPaymentMethod }: Omit<Billing, 'billingTimezoneId'>,
	displayPhoneNumber: string | null,
): BillingProblem[] {
	const problems: BillingProblem[] = []
	const isIndian =
		billingCountry === null
			? (displayPhoneNumber ?? '').replace(/\D/g, '').startsWith(INDIAN_CALLING_CODE)
			: billingCountry === INDIA
	if (isIndian && billingCurrency !== null && billingCurrency !== RUPEES)
		problems.push(currencyProblem(billingCurrency))
	if (hasPaymentMethod === false) problems.push(NO_PAYMENT_METHOD)
	return problems
}

function currencyProblem(currency: string): BillingProblem {
	const problem =
		`WhatsApp bills this account in ${currency}. From 1 January 2027 WhatsApp delivers no messages of Indian businesses ` +
		'whose account is not billed in Indian rupees (INR).'
	return {
		kind: 'currency',
		user: `${problem} Ask your administrator to move the account to INR.`,
		admin:
			`${problem} Move the account to INR in WhatsApp Manager, under Billing. WhatsApp then makes a new account with ` +
			'the same number and templates: enter its WABA ID in Manage Key and save. Campaigns, templates, chats and ' +
			'statements are kept.',
	}
}

const NO_PAYMENT_METHOD: BillingProblem = {
	kind: 'payment-method',
	user:
		'WhatsApp has no payment method for this account, so it does not deliver messages that it charges for. ' +
		'Ask your administrator to add one in WhatsApp Manager.',
	admin:
		'WhatsApp has no payment method for this account, so it does not deliver messages that it charges for. ' +
		'Add one in WhatsApp Manager, under Billing, then save the credentials again.',
}
