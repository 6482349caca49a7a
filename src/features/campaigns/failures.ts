import { OWN_ERRORS } from './rules.ts'

/** Why messages fail, for the business that sent them: what it means and what to do. */
export interface FailureWords {
	title: string
	meaning: string
	advice: string
	/** Whether the same message to the same recipient may succeed later. */
	isWorthRetrying: boolean
}

const words = (title: string, meaning: string, advice: string, isWorthRetrying = false): FailureWords => ({
	title,
	meaning,
	advice,
	isWorthRetrying,
})

const NOTHING_CHARGED = 'You were not charged.'

const BUSY = words(
	'WhatsApp was too busy',
	`WhatsApp limits how much can be sent in a short time, and this message did not get its turn. ${NOTHING_CHARGED}`,
	'Use "Retry failed" in a few minutes.',
	true,
)
const WHATSAPP_TROUBLE = words(
	'A fault at WhatsApp',
	`WhatsApp had a fault of its own and did not deliver the message. ${NOTHING_CHARGED}`,
	'Use "Retry failed" in an hour.',
	true,
)
const TEMPLATE_BLOCKED = words(
	'The template cannot be used',
	`WhatsApp does not accept messages with this template at present. ${NOTHING_CHARGED}`,
	'See the template under Manage Templates. Use another template, or retry once it is approved again.',
	true,
)
const TEMPLATE_VALUES = words(
	'The values do not fit the template',
	`A value that was filled into the template has a form that WhatsApp refuses. ${NOTHING_CHARGED}`,
	'Check the values of this campaign for line breaks, missing values and long texts, then create it again.',
)
const MEDIA = words(
	'The picture, video or document could not be used',
	`WhatsApp could not read the file in the template’s header. ${NOTHING_CHARGED}`,
	'Create the template again with another file.',
)
const ACCOUNT = words(
	'The WhatsApp account may not send',
	`WhatsApp refused messages from your business number. ${NOTHING_CHARGED}`,
	'Ask your administrator to check the account in WhatsApp Manager, then use "Retry failed".',
	true,
)
const CONNECTION = words(
	'The connection to WhatsApp has expired',
	`WhatsApp no longer accepts the access token of your account. ${NOTHING_CHARGED}`,
	'Ask your administrator to save a new access token, then use "Retry failed".',
	true,
)
const MARKETING_OFF = words(
	'Marketing messages are switched off',
	`Your WhatsApp account is not set up to send marketing messages. ${NOTHING_CHARGED}`,
	'Ask your administrator to switch them on in WhatsApp Manager, then use "Retry failed".',
	true,
)
const FLOW = words(
	'The form in the template is blocked',
	`WhatsApp has blocked or slowed down the form that this template opens. ${NOTHING_CHARGED}`,
	'Correct the form in WhatsApp Manager, then use "Retry failed".',
	true,
)

const WORDS = new Map<number, FailureWords>([
	...[4, 80007, 130429, 133016, 429].map((code) => [code, BUSY] as const),
	...[1, 2, 131000, 131016, 131057, 133004].map((code) => [code, WHATSAPP_TROUBLE] as const),
	...[132007, 132015, 132016].map((code) => [code, TEMPLATE_BLOCKED] as const),
	...[132000, 132012, 132018].map((code) => [code, TEMPLATE_VALUES] as const),
	...[131052, 131053].map((code) => [code, MEDIA] as const),
	...[3, 10, 131005, 33, 131031, 131045, 133010].map((code) => [code, ACCOUNT] as const),
	...[0, 190].map((code) => [code, CONNECTION] as const),
	...[131055, 131063, 134100, 134101, 134102].map((code) => [code, MARKETING_OFF] as const),
	...[132068, 132069].map((code) => [code, FLOW] as const),
	[
		131056,
		words(
			'Too many messages to this person',
			`This person was sent several messages within a short time, and WhatsApp limits that. ${NOTHING_CHARGED}`,
			'Use "Retry failed" in an hour.',
			true,
		),
	],
	[
		131021,
		words(
			'Your own number',
			`The recipient is the number that you send from. ${NOTHING_CHARGED}`,
			'Remove your business number from your contacts.',
		),
	],
	[
		131026,
		words(
			'Not reachable on WhatsApp',
			`This number has no WhatsApp, an old version of it, or has not accepted its terms. ${NOTHING_CHARGED}`,
			'Ask the person for their WhatsApp number. Remove numbers that fail again and again.',
		),
	],
	[
		131030,
		words(
			'Not on the list of the test number',
			`Your business number is one of WhatsApp’s test numbers, which reach only a few listed people. ${NOTHING_CHARGED}`,
			'Ask your administrator to set up a real business number.',
		),
	],
	[
		131047,
		words(
			'The 24 hours for a free reply are over',
			`This person has not written to you within the last 24 hours, so that only a template may be sent. ${NOTHING_CHARGED}`,
			'Send an approved template instead.',
		),
	],
	[
		131049,
		words(
			'Held back by WhatsApp',
			`This person has had many marketing messages lately, from any business, and WhatsApp lets no more through for now. ${NOTHING_CHARGED}`,
			'Wait at least a day, then use "Retry failed". Or let the next campaign try again by itself.',
			true,
		),
	],
	[
		131050,
		words(
			'Does not want marketing',
			`This person has stopped marketing messages from your business in WhatsApp. ${NOTHING_CHARGED}`,
			'Nothing to do: they are left out of your next marketing campaigns.',
		),
	],
	[
		131051,
		words(
			'This kind of message is not supported',
			`The recipient’s WhatsApp cannot show this kind of message. ${NOTHING_CHARGED}`,
			'Use a simpler template, with text alone.',
		),
	],
	[
		130403,
		words(
			'You have blocked this person',
			`Your business account has blocked this number. ${NOTHING_CHARGED}`,
			'Unblock the person in WhatsApp Manager if you want to write to them.',
		),
	],
	[
		130472,
		words(
			'Part of a WhatsApp experiment',
			`WhatsApp keeps some people free of marketing messages for an experiment, and this person is one of them. ${NOTHING_CHARGED}`,
			'Nothing to do. A retry does not help; messages of other kinds reach them.',
		),
	],
	[
		130497,
		words(
			'Not allowed in this country',
			`Your business may not send WhatsApp messages to this country. ${NOTHING_CHARGED}`,
			'Leave numbers of this country out.',
		),
	],
	[
		131062,
		words(
			'A login code needs a phone number',
			`This person hides their number, and WhatsApp sends login codes to numbers alone. ${NOTHING_CHARGED}`,
			'Ask the person for their number.',
		),
	],
	[
		131008,
		words(
			'Something is missing in the message',
			`WhatsApp found a part of the message missing. ${NOTHING_CHARGED}`,
			'Check that every value of the template is filled in, then create the campaign again.',
		),
	],
	[
		131009,
		words(
			'A value is not valid',
			`WhatsApp could not use one of the message’s values. ${NOTHING_CHARGED}`,
			'Check the number and the values of these recipients.',
		),
	],
	[
		100,
		words(
			'The message was not accepted',
			`WhatsApp could not use a part of the message. ${NOTHING_CHARGED}`,
			'Check the number and the values of these recipients.',
		),
	],
	[
		132005,
		words(
			'The text is too long',
			`With this recipient’s values filled in, the text is longer than WhatsApp allows. ${NOTHING_CHARGED}`,
			'Shorten the values, then create the campaign again for these recipients.',
		),
	],
	[
		135000,
		words(
			'The message was not accepted',
			`WhatsApp refused the message without saying why. ${NOTHING_CHARGED}`,
			'Send a test message to your own number. If it fails, too, use another template.',
		),
	],
	[
		132001,
		words(
			'The template does not exist',
			`WhatsApp does not know this template in this language, or has not approved it. ${NOTHING_CHARGED}`,
			'Sync the templates and create a new campaign.',
		),
	],
	[
		131064,
		words(
			'Templates in the wrong category',
			`WhatsApp limits your account because templates were filed in the wrong category. ${NOTHING_CHARGED}`,
			'Correct the category of your templates, then use "Retry failed".',
			true,
		),
	],
	[
		368,
		words(
			'Blocked for a while',
			`WhatsApp has blocked your account for a while because of its policy. ${NOTHING_CHARGED}`,
			'See WhatsApp Manager for how long. Use "Retry failed" after that.',
			true,
		),
	],
	[
		131037,
		words(
			'The display name is not approved',
			`WhatsApp has not approved your business name yet. ${NOTHING_CHARGED}`,
			'Finish the approval in WhatsApp Manager, then use "Retry failed".',
			true,
		),
	],
	[
		131042,
		words(
			'A payment problem at WhatsApp',
			`WhatsApp could not charge the payment method of your business account. ${NOTHING_CHARGED}`,
			'Correct the payment method in WhatsApp Manager, then use "Retry failed".',
			true,
		),
	],
	[
		131048,
		words(
			'Too many people blocked or reported you',
			`WhatsApp limits your number because recipients have blocked or reported it. ${NOTHING_CHARGED}`,
			'Pause for a few days and write only to people who expect your messages.',
			true,
		),
	],
	[
		134011,
		words(
			'Payment terms are not accepted',
			`Your business has not accepted WhatsApp’s terms for payments. ${NOTHING_CHARGED}`,
			'Accept them in WhatsApp Manager, then use "Retry failed".',
			true,
		),
	],
	[
		OWN_ERRORS.unconfirmed.code,
		words(
			OWN_ERRORS.unconfirmed.text,
			'The connection broke while the message was sent, and WhatsApp did not report on it. It may have arrived. You were not charged.',
			'Do not send it again unless it matters more than a second copy disturbs.',
		),
	],
	[
		OWN_ERRORS.cancelled.code,
		words(
			OWN_ERRORS.cancelled.text,
			`You cancelled the campaign before this message was sent. ${NOTHING_CHARGED}`,
			'Duplicate the campaign to send it after all.',
		),
	],
	[
		OWN_ERRORS.expired.code,
		words(
			OWN_ERRORS.expired.text,
			'WhatsApp could not deliver it for 30 days: the phone was off or WhatsApp removed. Your money was given back.',
			'Remove numbers that fail again and again.',
		),
	],
	[
		OWN_ERRORS.notRun.code,
		words(
			OWN_ERRORS.notRun.text,
			`The campaign was stopped before this message was sent. ${NOTHING_CHARGED}`,
			'Solve what is named at the top of this page, then use "Retry failed".',
			true,
		),
	],
	[
		OWN_ERRORS.optedOut.code,
		words(
			OWN_ERRORS.optedOut.text,
			`This person asked for no more marketing before their turn came. ${NOTHING_CHARGED}`,
			'Nothing to do: they are left out of your next marketing campaigns.',
		),
	],
])

const UNKNOWN = words(
	'Refused by WhatsApp',
	`WhatsApp did not accept or deliver the message. ${NOTHING_CHARGED}`,
	'Send a test message to your own number. If it fails, too, ask your administrator.',
)

/** Permissions that were taken away come as a range of codes. */
const isPermission = (code: number) => code >= 200 && code <= 299

/** What a failure means and what to do about it; `code` is Meta's, or one of our own. */
export function failureWords(code: number): FailureWords {
	return WORDS.get(code) ?? (isPermission(code) ? ACCOUNT : UNKNOWN)
}

/** The codes of failures that may pass; the range of permissions is the last two numbers, both included. */
export const RETRYABLE = {
	codes: [...WORDS].filter(([, { isWorthRetrying }]) => isWorthRetrying).map(([code]) => code),
	from: 200,
	to: 299,
}
