/**
 * Returns the category that a message counts in, for prices, usage and margins: `marketing_lite`, WhatsApp's word for its
 * marketing route, counts as marketing. Both are in lower case.
 */
export function countedCategory(category: string): string {
	return category === 'marketing_lite' ? 'marketing' : category
}

/** Messages of an Indian day in one category and type of charge, both in lower case. */
export interface UsageOfDay {
	day: string
	/** Category of `countedCategory`. */
	category: string
	/** Absent from readings of earlier releases, and null where Meta names none. */
	type?: string | null
	messages: number
}

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
export const RUPEES = 'INR'

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

/** Meta's status of an account that has joined the marketing route. Any other status, and null, means that it has not. */
export const ONBOARDED = 'ONBOARDED'

/** Value of `messagingLimit` for a portfolio without a limit. */
export const NO_LIMIT = -1

/**
 * Limits, quality and health of a number as Meta reports them. Null is unknown; texts are in upper case, also texts that the
 * product does not know.
 */
export interface SenderLimits {
	/** Meta's id of the business portfolio, whose numbers share the limit. */
	portfolioId: string | null
	/** People with whom the portfolio may start conversations in 24 hours; `NO_LIMIT` without a limit. */
	messagingLimit: number | null
	/** Known words: GREEN, YELLOW, RED. */
	quality: string | null
	/** Known words: AVAILABLE, LIMITED, BLOCKED. */
	healthStatus: string | null
	/** Meta's advice about a health status other than AVAILABLE. */
	healthAdvice: string | null
	nameStatus: string | null
	verificationStatus: string | null
	throughputLevel: string | null
	/** True when the number is used in the WhatsApp Business app as well. */
	isOnPhoneApp: boolean | null
	marketingOnboarding: string | null
}

/** Returns the reason to stop sending from a number that Meta blocks; null for any other health status. */
export function healthStop({
	healthStatus,
	healthAdvice,
}: Pick<SenderLimits, 'healthStatus' | 'healthAdvice'>): StopReason | null {
	if (healthStatus !== 'BLOCKED') return null
	const what = 'WhatsApp does not let your number send messages.'
	if (healthAdvice !== null)
		return { user: `${what} WhatsApp’s advice: ${healthAdvice}`, admin: `${what} WhatsApp’s advice: ${healthAdvice}` }
	return {
		user: `${what} See the account in WhatsApp Manager, or ask your administrator.`,
		admin: `${what} See the account in WhatsApp Manager.`,
	}
}

/** Returns the warning about a number whose sending Meta limits; null for any other health status. */
export function healthWarning({
	healthStatus,
	healthAdvice,
}: Pick<SenderLimits, 'healthStatus' | 'healthAdvice'>): string | null {
	if (healthStatus !== 'LIMITED') return null
	const advice = healthAdvice === null ? 'See the account in WhatsApp Manager.' : `WhatsApp’s advice: ${healthAdvice}`
	return `WhatsApp limits what this number can send, so some messages may fail. ${advice}`
}

/** Returns true when a number's quality fell to low between two readings. A number read for the first time has not fallen. */
export function hasQualityFallen(before: Pick<SenderLimits, 'quality'>, after: Pick<SenderLimits, 'quality'>): boolean {
	return before.quality !== null && before.quality !== LOW_QUALITY && after.quality === LOW_QUALITY
}

const LOW_QUALITY = 'RED'

const QUALITIES: Record<string, 'high' | 'medium' | 'low'> = { GREEN: 'high', YELLOW: 'medium', [LOW_QUALITY]: 'low' }

/** Returns a number's quality as users read it; null for a word that is not known or says that Meta has not rated it. */
export function qualityOf({ quality }: Pick<SenderLimits, 'quality'>): 'high' | 'medium' | 'low' | null {
	return quality !== null && Object.hasOwn(QUALITIES, quality) ? (QUALITIES[quality] ?? null) : null
}

/** Limits of a number that was never read. */
export const UNKNOWN_LIMITS: SenderLimits = {
	portfolioId: null,
	messagingLimit: null,
	quality: null,
	healthStatus: null,
	healthAdvice: null,
	nameStatus: null,
	verificationStatus: null,
	throughputLevel: null,
	isOnPhoneApp: null,
	marketingOnboarding: null,
}
