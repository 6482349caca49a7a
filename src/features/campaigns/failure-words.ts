import { OWN_ERRORS } from './rules.ts'

/** Why messages fail, in the words of the business that sent them. */
export interface FailureEntry {
	/** Meta's codes, or one of our own. */
	codes: readonly number[]
	title: string
	meaning: string
	/** What to do about it. */
	advice: string
	/** Whether the same message to the same recipient may succeed later. */
	isWorthRetrying: boolean
}

/** The last sentence of `meaning`, but for failures after which money moved. */
const FREE = 'You were not charged.'

export const FAILURE_ENTRIES: readonly FailureEntry[] = [
	{
		codes: [4, 80007, 130429, 133016, 429],
		title: 'WhatsApp was too busy',
		meaning: `WhatsApp limits how much can be sent in a short time, and this message did not get its turn. ${FREE}`,
		advice: 'Use "Retry failed" in a few minutes.',
		isWorthRetrying: true,
	},
	{
		codes: [1, 2, 131000, 131016, 131057, 133004],
		title: 'A fault at WhatsApp',
		meaning: `WhatsApp had a fault of its own and did not deliver the message. ${FREE}`,
		advice: 'Use "Retry failed" in an hour.',
		isWorthRetrying: true,
	},
	{
		codes: [132007, 132015, 132016],
		title: 'The template cannot be used',
		meaning: `WhatsApp does not accept messages with this template at present. ${FREE}`,
		advice: 'See the template under Manage Templates. Use another template, or retry once it is approved again.',
		isWorthRetrying: true,
	},
	{
		codes: [132000, 132012, 132018, OWN_ERRORS.unrenderable.code],
		title: 'The values do not fit the template',
		meaning: `A value that was filled into the template has a form that WhatsApp refuses. ${FREE}`,
		advice: 'Check the values of this campaign for line breaks, missing values and long texts, then create it again.',
		isWorthRetrying: false,
	},
	{
		codes: [131052, 131053],
		title: 'The picture, video or document could not be used',
		meaning: `WhatsApp could not read the file in the template’s header. ${FREE}`,
		advice: 'Create the template again with another file.',
		isWorthRetrying: false,
	},
	{
		codes: [3, 10, 131005, 33, 131031, 131045, 133010],
		title: 'The WhatsApp account may not send',
		meaning: `WhatsApp refused messages from your business number. ${FREE}`,
		advice: 'Ask your administrator to check the account in WhatsApp Manager, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [0, 190],
		title: 'The connection to WhatsApp has expired',
		meaning: `WhatsApp no longer accepts the access token of your account. ${FREE}`,
		advice: 'Ask your administrator to save a new access token, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [131055, 131063, 134100, 134101, 134102],
		title: 'Marketing messages are switched off',
		meaning: `Your WhatsApp account is not set up to send marketing messages. ${FREE}`,
		advice: 'Ask your administrator to switch them on in WhatsApp Manager, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [132068, 132069],
		title: 'The form in the template is blocked',
		meaning: `WhatsApp has blocked or slowed down the form that this template opens. ${FREE}`,
		advice: 'Correct the form in WhatsApp Manager, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [131056],
		title: 'Too many messages to this person',
		meaning: `This person was sent several messages within a short time, and WhatsApp limits that. ${FREE}`,
		advice: 'Use "Retry failed" in an hour.',
		isWorthRetrying: true,
	},
	{
		codes: [131021],
		title: 'Your own number',
		meaning: `The recipient is the number that you send from. ${FREE}`,
		advice: 'Remove your business number from your contacts.',
		isWorthRetrying: false,
	},
	{
		codes: [131026],
		title: 'Not reachable on WhatsApp',
		meaning: `This number has no WhatsApp, an old version of it, or has not accepted its terms. ${FREE}`,
		advice: 'Ask the person for their WhatsApp number. Remove numbers that fail again and again.',
		isWorthRetrying: false,
	},
	{
		codes: [131030],
		title: 'Not on the list of the test number',
		meaning: `Your business number is one of WhatsApp’s test numbers, which reach only a few listed people. ${FREE}`,
		advice: 'Ask your administrator to set up a real business number.',
		isWorthRetrying: false,
	},
	{
		codes: [131047],
		title: 'The 24 hours for a free reply are over',
		meaning: `This person has not written to you within the last 24 hours, so that only a template may be sent. ${FREE}`,
		advice: 'Send an approved template instead.',
		isWorthRetrying: false,
	},
	{
		codes: [131049],
		title: 'Held back by WhatsApp',
		meaning: `This person has had many marketing messages lately, from any business, and WhatsApp lets no more through for now. ${FREE}`,
		advice:
			'Wait at least a day, then use "Retry failed". A campaign can also do that by itself: choose it when you create your next one.',
		isWorthRetrying: true,
	},
	{
		codes: [131050],
		title: 'Does not want marketing',
		meaning: `This person has stopped marketing messages from your business in WhatsApp. ${FREE}`,
		advice: 'Nothing to do: they are left out of your next marketing campaigns.',
		isWorthRetrying: false,
	},
	{
		codes: [131051],
		title: 'This kind of message is not supported',
		meaning: `The recipient’s WhatsApp cannot show this kind of message. ${FREE}`,
		advice: 'Use a simpler template, with text alone.',
		isWorthRetrying: false,
	},
	{
		codes: [130403],
		title: 'You have blocked this person',
		meaning: `Your business account has blocked this number. ${FREE}`,
		advice: 'Unblock the person in WhatsApp Manager if you want to write to them.',
		isWorthRetrying: false,
	},
	{
		codes: [130472],
		title: 'Part of a WhatsApp experiment',
		meaning: `WhatsApp keeps some people free of marketing messages for an experiment, and this person is one of them. ${FREE}`,
		advice: 'Nothing to do. A retry does not help; messages of other kinds reach them.',
		isWorthRetrying: false,
	},
	{
		codes: [130497],
		title: 'Not allowed in this country',
		meaning: `Your business may not send WhatsApp messages to this country. ${FREE}`,
		advice: 'Leave numbers of this country out.',
		isWorthRetrying: false,
	},
	{
		codes: [131062],
		title: 'A login code needs a phone number',
		meaning: `This person hides their number, and WhatsApp sends login codes to numbers alone. ${FREE}`,
		advice: 'Ask the person for their number.',
		isWorthRetrying: false,
	},
	{
		codes: [131008],
		title: 'Something is missing in the message',
		meaning: `WhatsApp found a part of the message missing. ${FREE}`,
		advice: 'Check that every value of the template is filled in, then create the campaign again.',
		isWorthRetrying: false,
	},
	{
		codes: [131009],
		title: 'A value is not valid',
		meaning: `WhatsApp could not use one of the message’s values. ${FREE}`,
		advice: 'Check the number and the values of these recipients.',
		isWorthRetrying: false,
	},
	{
		codes: [100],
		title: 'The message was not accepted',
		meaning: `WhatsApp could not use a part of the message. ${FREE}`,
		advice: 'Check the number and the values of these recipients.',
		isWorthRetrying: false,
	},
	{
		codes: [132005],
		title: 'The text is too long',
		meaning: `With this recipient’s values filled in, the text is longer than WhatsApp allows. ${FREE}`,
		advice: 'Shorten the values, then create the campaign again for these recipients.',
		isWorthRetrying: false,
	},
	{
		codes: [135000],
		title: 'The message was not accepted',
		meaning: `WhatsApp refused the message without saying why. ${FREE}`,
		advice: 'Send a test message to your own number. If that fails too, use another template.',
		isWorthRetrying: false,
	},
	{
		codes: [132001],
		title: 'The template does not exist',
		meaning: `WhatsApp does not know this template in this language, or has not approved it. ${FREE}`,
		advice: 'Sync the templates and create a new campaign.',
		isWorthRetrying: false,
	},
	{
		codes: [131064],
		title: 'Templates in the wrong category',
		meaning: `WhatsApp limits your account because templates were filed in the wrong category. ${FREE}`,
		advice: 'Correct the category of your templates, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [368],
		title: 'Blocked for a while',
		meaning: `WhatsApp has blocked your account for a while because of its policy. ${FREE}`,
		advice: 'See WhatsApp Manager for how long. Use "Retry failed" after that.',
		isWorthRetrying: true,
	},
	{
		codes: [131037],
		title: 'The display name is not approved',
		meaning: `WhatsApp has not approved your business name yet. ${FREE}`,
		advice: 'Finish the approval in WhatsApp Manager, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [131042],
		title: 'A payment problem at WhatsApp',
		meaning: `WhatsApp could not charge the payment method of your business account. ${FREE}`,
		advice: 'Correct the payment method in WhatsApp Manager, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [131048],
		title: 'Too many people blocked or reported you',
		meaning: `WhatsApp limits your number because recipients have blocked or reported it. ${FREE}`,
		advice: 'Pause for a few days and write only to people who expect your messages.',
		isWorthRetrying: true,
	},
	{
		codes: [134011],
		title: 'Payment terms are not accepted',
		meaning: `Your business has not accepted WhatsApp’s terms for payments. ${FREE}`,
		advice: 'Accept them in WhatsApp Manager, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [OWN_ERRORS.unconfirmed.code],
		title: OWN_ERRORS.unconfirmed.text,
		meaning:
			'The connection broke while the message was sent, and WhatsApp did not report on it. It may have arrived. You were not charged.',
		advice: 'Send it again only if a second copy does no harm.',
		isWorthRetrying: false,
	},
	{
		codes: [OWN_ERRORS.cancelled.code],
		title: OWN_ERRORS.cancelled.text,
		meaning: `You cancelled the campaign before this message was sent. ${FREE}`,
		advice:
			'To send it after all, make a new group from the failed messages and send a campaign to it. A duplicate of this campaign would reach those who got it once more.',
		isWorthRetrying: false,
	},
	{
		codes: [OWN_ERRORS.expired.code],
		title: OWN_ERRORS.expired.text,
		meaning:
			'WhatsApp could not deliver it for 30 days: the phone was off or WhatsApp removed. Your money was given back.',
		advice: 'Remove numbers that fail again and again.',
		isWorthRetrying: false,
	},
	{
		codes: [OWN_ERRORS.notRun.code],
		title: OWN_ERRORS.notRun.text,
		meaning: `The campaign was stopped before this message was sent. ${FREE}`,
		advice: 'Fix the problem named at the top of this page, then use "Retry failed".',
		isWorthRetrying: true,
	},
	{
		codes: [OWN_ERRORS.optedOut.code],
		title: OWN_ERRORS.optedOut.text,
		meaning: `This person asked for no more marketing before their turn came. ${FREE}`,
		advice: 'Nothing to do: they are left out of your next marketing campaigns.',
		isWorthRetrying: false,
	},
]
