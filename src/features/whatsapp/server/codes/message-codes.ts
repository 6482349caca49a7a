import type { CodeEntry } from './codes.ts'

const BUSY = {
	title: 'WhatsApp was too busy',
	meaning: 'WhatsApp limits how much can be sent in a short time, and this message did not get its turn.',
	advice: 'Use "Retry failed" in a few minutes.',
	isWorthRetrying: true,
}

const BUSY_IN_CHAT = 'WhatsApp is not accepting more messages from your number at the moment. Try again in a minute.'

/** Codes that affect one message, or only delay it. */
export const MESSAGE_CODES: readonly CodeEntry[] = [
	{
		codes: [4, 17, 32, 613, 80007],
		scope: 'limit',
		cause: 'account-limit',
		report: BUSY,
		chat: BUSY_IN_CHAT,
	},
	{
		codes: [429, 130429],
		scope: 'limit',
		cause: 'pace',
		report: BUSY,
		chat: BUSY_IN_CHAT,
	},
	{
		codes: [131056],
		scope: 'limit',
		cause: 'recipient-limit',
		report: {
			title: 'Too many messages to this person',
			meaning: 'This person was sent several messages within a short time, and WhatsApp limits that.',
			advice: 'Use "Retry failed" in an hour.',
			isWorthRetrying: true,
		},
		chat: 'Too many messages to this number in a short time. Try again in a minute.',
	},
	{
		codes: [1, 2, 131000, 131016, 131057, 133004],
		scope: 'fault',
		report: {
			title: 'A fault at WhatsApp',
			meaning: 'WhatsApp had a fault of its own and did not deliver the message.',
			advice: 'Use "Retry failed" in an hour.',
			isWorthRetrying: true,
		},
		chat: 'WhatsApp had a fault of its own and did not deliver this message. Try again in a few minutes.',
	},
	{
		codes: [130403],
		scope: 'recipient',
		report: {
			title: 'You have blocked this person',
			meaning: 'Your business account has blocked this number.',
			advice: 'Unblock the person in WhatsApp Manager if you want to write to them.',
			isWorthRetrying: false,
		},
		chat: 'Your business has blocked this person. Unblock them in WhatsApp Manager to write to them.',
	},
	{
		codes: [130472],
		scope: 'recipient',
		report: {
			title: 'Part of a WhatsApp experiment',
			meaning:
				'WhatsApp keeps some people free of marketing messages for an experiment, and this person is one of them.',
			advice: 'Nothing to do. A retry does not help; messages of other kinds reach them.',
			isWorthRetrying: false,
		},
		chat: 'WhatsApp did not deliver this message, as its recipient takes part in an experiment',
	},
	{
		codes: [130497],
		scope: 'recipient',
		report: {
			title: 'Not allowed in this country',
			meaning: 'Your business may not send WhatsApp messages to this country.',
			advice: 'Leave numbers of this country out.',
			isWorthRetrying: false,
		},
		chat: 'WhatsApp does not let this business write to numbers of that country',
	},
	{
		codes: [131021],
		scope: 'recipient',
		report: {
			title: 'Your own number',
			meaning: 'The recipient is the number that you send from.',
			advice: 'Remove your business number from your contacts.',
			isWorthRetrying: false,
		},
		chat: 'This is the number that you send from',
	},
	{
		codes: [131026],
		scope: 'recipient',
		report: {
			title: 'Not reachable on WhatsApp',
			meaning: 'This number has no WhatsApp, an old version of it, or has not accepted its terms.',
			advice: 'Ask the person for their WhatsApp number. Remove numbers that fail again and again.',
			isWorthRetrying: false,
		},
		chat: 'This number cannot be reached: it may not be on WhatsApp, or its app is too old',
	},
	{
		codes: [131030],
		scope: 'recipient',
		report: {
			title: 'Not on the list of the test number',
			meaning: 'Your business number is one of WhatsApp’s test numbers, which reach only a few listed people.',
			advice: 'Ask your administrator to set up a real business number.',
			isWorthRetrying: false,
		},
		chat: 'This test number may only write to the numbers on its list in Meta for Developers',
	},
	{
		codes: [131047],
		scope: 'recipient',
		report: {
			title: 'The 24 hours for a free reply are over',
			meaning: 'This person has not written to you within the last 24 hours, so that only a template may be sent.',
			advice: 'Send an approved template instead.',
			isWorthRetrying: false,
		},
		chat: 'They have not written to you in the last 24 hours. Send an approved template instead.',
	},
	{
		codes: [131049],
		scope: 'recipient',
		report: {
			title: 'Held back by WhatsApp',
			meaning:
				'WhatsApp limits how much marketing a person receives from all businesses together. This person has reached that limit for now.',
			advice:
				'Send them a different message another day. We do not retry this one, because WhatsApp restricts accounts that do.',
			isWorthRetrying: false,
		},
		chat: 'WhatsApp limits how much marketing a person receives. Do not send this again soon: WhatsApp can restrict your account for that.',
	},
	{
		codes: [131050],
		scope: 'recipient',
		report: {
			title: 'Does not want marketing',
			meaning: 'This person has stopped marketing messages from your business in WhatsApp.',
			advice: 'Nothing to do: they are left out of your next marketing campaigns.',
			isWorthRetrying: false,
		},
		chat: 'They have stopped marketing messages from you',
	},
	{
		codes: [131051],
		scope: 'recipient',
		report: {
			title: 'This kind of message is not supported',
			meaning: 'The recipient’s WhatsApp cannot show this kind of message.',
			advice: 'Use a simpler template, with only text.',
			isWorthRetrying: false,
		},
		chat: 'WhatsApp does not support this kind of message',
	},
	{
		codes: [131062],
		scope: 'recipient',
		report: {
			title: 'A login code needs a phone number',
			meaning: 'This person hides their number, and WhatsApp sends login codes only to numbers.',
			advice: 'Ask the person for their number.',
			isWorthRetrying: false,
		},
	},
	{
		codes: [100],
		scope: 'message',
		report: {
			title: 'The message was not accepted',
			meaning: 'WhatsApp could not use a part of the message.',
			advice: 'Check the number and the values of these recipients.',
			isWorthRetrying: false,
		},
	},
	{
		codes: [131008],
		scope: 'message',
		report: {
			title: 'Something is missing in the message',
			meaning: 'WhatsApp found a part of the message missing.',
			advice: 'Check that every value of the template is filled in, then create the campaign again.',
			isWorthRetrying: false,
		},
	},
	{
		codes: [131009],
		scope: 'message',
		report: {
			title: 'A value is not valid',
			meaning: 'WhatsApp could not use one of the message’s values.',
			advice: 'Check the number and the values of these recipients.',
			isWorthRetrying: false,
		},
	},
	{
		codes: [132000, 132012, 132018],
		scope: 'message',
		report: {
			title: 'The values do not fit the template',
			meaning: 'A value that was filled into the template has a form that WhatsApp refuses.',
			advice: 'Check the values of this campaign for line breaks, missing values and long texts, then create it again.',
			isWorthRetrying: false,
		},
		chat: 'A value does not fit the template. Check it for line breaks and long texts.',
	},
	{
		codes: [132005],
		scope: 'message',
		report: {
			title: 'The text is too long',
			meaning: 'With this recipient’s values filled in, the text is longer than WhatsApp allows.',
			advice: 'Shorten the values, then create the campaign again for these recipients.',
			isWorthRetrying: false,
		},
		chat: 'With these values, the text is longer than WhatsApp allows',
	},
	{
		codes: [133016],
		scope: 'message',
		report: BUSY,
	},
	{
		codes: [135000],
		scope: 'message',
		report: {
			title: 'The message was not accepted',
			meaning: 'WhatsApp refused the message without saying why.',
			advice: 'Send a test message to your own number. If that fails too, use another template.',
			isWorthRetrying: false,
		},
		chat: 'WhatsApp did not accept this message, and does not say why. Try again later.',
	},
]
