/** Reason why nothing is sent from a number, with what to do, for its user and for admins. */
export interface StopReason {
	user: string
	admin: string
}

/** Meta's billing of a WABA. Null means unknown: Meta did not return the field, or the account was never read. */
export interface Billing {
	/** ISO 4217 code. Meta fixes the currency when the account is created. */
	billingCurrency: string | null
	/** ISO 3166 code of two letters. */
	billingCountry: string | null
	/** Meta's number of the time zone in which billing days and months begin. */
	billingTimezoneId: string | null
	hasPaymentMethod: boolean | null
}

/** Billing of an account that could not be read. */
export const UNKNOWN_BILLING: Billing = {
	billingCurrency: null,
	billingCountry: null,
	billingTimezoneId: null,
	hasPaymentMethod: null,
}

export interface BillingProblem {
	kind: 'currency' | 'payment-method'
	/** Problem with what to do, for the account's users. */
	user: string
	/** Problem with what to do, for admins. */
	admin: string
}

const INDIA = 'IN'
const INDIAN_CALLING_CODE = '91'
const RUPEES = 'INR'

/**
 * Returns the billing problems that keep Meta from delivering the account's messages, the worst first. Without a
 * billing country, the number's country decides.
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
