import type { CodeEntry } from './codes.ts'

const EXPIRED = {
	title: 'The connection to WhatsApp has expired',
	meaning: 'WhatsApp no longer accepts the access token of your account.',
	advice: 'Ask your administrator to save a new access token, then use "Retry failed".',
	isWorthRetrying: true,
}

const MAY_NOT_SEND = {
	title: 'The WhatsApp account may not send',
	meaning: 'WhatsApp refused messages from your business number.',
	advice: 'Ask your administrator to check the account in WhatsApp Manager, then use "Retry failed".',
	isWorthRetrying: true,
}

const UNREADABLE_FILE = {
	title: 'The picture, video or document could not be used',
	meaning: 'WhatsApp could not read the file in the template’s header.',
	advice: 'Create the template again with another file.',
	isWorthRetrying: false,
}

const UNUSABLE_TEMPLATE = {
	title: 'The template cannot be used',
	meaning: 'WhatsApp does not accept messages with this template at present.',
	advice: 'See the template under Manage Templates. Use another template, or retry once it is approved again.',
	isWorthRetrying: true,
}

const SAVE_TOKEN = {
	stop: 'The access token is no longer valid. Ask your administrator to save a new one, then resume.',
	stopForAdmin: 'The access token is no longer valid. Save a new one. The user can then resume the campaigns.',
}

const CHANGE_FILE =
	'WhatsApp could not read the file in the template’s header. Create the template again with another file, and make a new campaign.'

/** Codes that stop the campaign, or all sending from the number. */
export const ACCOUNT_CODES: readonly CodeEntry[] = [
	{
		codes: [3, 10, 131005],
		scope: 'sender',
		access: 'refused',
		report: MAY_NOT_SEND,
		stop: 'The access token lacks a permission. Ask your administrator to check it, then resume.',
		stopForAdmin: 'The access token lacks a permission. Check it. The user can then resume the campaigns.',
	},
	{
		codes: [33],
		scope: 'sender',
		access: 'refused',
		report: MAY_NOT_SEND,
		stop: 'The phone number cannot be reached with these credentials. Ask your administrator to check them.',
		stopForAdmin: 'The phone number cannot be reached with these credentials. Check them.',
	},
	{
		codes: [0, 190],
		scope: 'sender',
		access: 'refused',
		report: EXPIRED,
		...SAVE_TOKEN,
	},
	{
		codes: [368],
		scope: 'sender',
		access: 'blocked',
		report: {
			title: 'Blocked for a while',
			meaning: 'WhatsApp has blocked your account for a while because of its policy.',
			advice: 'See WhatsApp Manager for how long. Use "Retry failed" after that.',
			isWorthRetrying: true,
		},
		stop: 'WhatsApp has blocked this account for a while because of its policy. See WhatsApp Manager.',
	},
	{
		codes: [131031],
		scope: 'sender',
		access: 'blocked',
		report: MAY_NOT_SEND,
		stop: 'WhatsApp has locked this account. See WhatsApp Manager, then resume.',
		stopForAdmin: 'WhatsApp has locked this account. See WhatsApp Manager. The user can then resume the campaigns.',
	},
	{
		codes: [131037],
		scope: 'sender',
		report: {
			title: 'The display name is not approved',
			meaning: 'WhatsApp has not approved your business name yet.',
			advice: 'Finish the approval in WhatsApp Manager, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'The display name is not approved yet. See WhatsApp Manager, then resume.',
		stopForAdmin: 'The display name is not approved yet. See WhatsApp Manager. The user can then resume the campaigns.',
	},
	{
		codes: [131042],
		scope: 'sender',
		report: {
			title: 'A payment problem at WhatsApp',
			meaning: 'WhatsApp could not charge the payment method of your business account.',
			advice: 'Correct the payment method in WhatsApp Manager, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'There is a problem with the payment method in WhatsApp Manager. Solve it there, then resume.',
		stopForAdmin:
			'There is a problem with the payment method in WhatsApp Manager. Solve it there. The user can then resume the campaigns.',
	},
	{
		codes: [131045],
		scope: 'sender',
		report: MAY_NOT_SEND,
		stop: 'The phone number is not set up completely. Ask your administrator to check it in WhatsApp Manager, then resume.',
		stopForAdmin:
			'The phone number is not set up completely. Check it in WhatsApp Manager. The user can then resume the campaigns.',
	},
	{
		codes: [131048],
		scope: 'sender',
		report: {
			title: 'Too many people blocked or reported you',
			meaning: 'WhatsApp limits your number because recipients have blocked or reported it.',
			advice: 'Pause for a few days and write only to people who expect your messages.',
			isWorthRetrying: true,
		},
		stop: 'Too many recipients have blocked or reported this number. Wait until its quality recovers, then resume.',
		stopForAdmin:
			'Too many recipients have blocked or reported this number. Wait until its quality recovers. The user can then resume the campaigns.',
	},
	{
		codes: [133010],
		scope: 'sender',
		report: MAY_NOT_SEND,
		stop: 'The phone number is not registered. Ask your administrator to check it, then resume.',
		stopForAdmin: 'The phone number is not registered. Check it. The user can then resume the campaigns.',
	},
	{
		codes: [134011],
		scope: 'sender',
		report: {
			title: 'Payment terms are not accepted',
			meaning: 'Your business has not accepted WhatsApp’s terms for payments.',
			advice: 'Accept them in WhatsApp Manager, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'WhatsApp’s terms for payments are not accepted yet. Accept them in WhatsApp Manager, then resume.',
		stopForAdmin:
			'WhatsApp’s terms for payments are not accepted yet. Accept them in WhatsApp Manager. The user can then resume the campaigns.',
	},
	{
		codes: [131052],
		scope: 'campaign',
		report: UNREADABLE_FILE,
		stop: CHANGE_FILE,
	},
	{
		codes: [131053],
		scope: 'campaign',
		report: UNREADABLE_FILE,
		stop: CHANGE_FILE,
		chat: 'WhatsApp could not read this file',
	},
	{
		codes: [131055, 134100],
		scope: 'campaign',
		report: {
			title: 'Not a marketing template',
			meaning:
				'WhatsApp’s marketing route takes only marketing templates, and its ordinary route refused the message too.',
			advice: 'Sync the templates and check the category, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'WhatsApp does not take this template for a marketing one. Sync the templates and check its category, then resume.',
		chat: 'WhatsApp does not take this template for a marketing one. Sync the templates and check its category.',
	},
	{
		codes: [134101],
		scope: 'campaign',
		report: {
			title: 'The template is being prepared',
			meaning: 'WhatsApp was still preparing this template for its marketing route.',
			advice: 'Wait ten minutes, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'WhatsApp is still preparing this template for its marketing route. Wait ten minutes, then resume.',
		chat: 'WhatsApp is still preparing this template. Try again in ten minutes.',
	},
	{
		codes: [131061, 131063],
		scope: 'campaign',
		report: {
			title: 'Marketing messages are switched off',
			meaning: 'WhatsApp takes no marketing messages of your account on its ordinary route.',
			advice:
				'Choose the automatic route in Settings, Sending rules, or ask your administrator to switch marketing on in WhatsApp Manager. Then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'WhatsApp takes this marketing template only over its marketing route. Choose the automatic route in Settings, Sending rules, then resume.',
		chat: 'WhatsApp takes this template only over its marketing route. Choose the automatic route in Settings, Sending rules.',
	},
	{
		codes: [134102],
		scope: 'campaign',
		report: {
			title: 'Marketing messages are switched off',
			meaning: 'Your WhatsApp account is not set up to send marketing messages.',
			advice: 'Ask your administrator to switch them on in WhatsApp Manager, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'Marketing messages are switched off for this WhatsApp account. Ask your administrator to switch them on in WhatsApp Manager, then resume.',
	},
	{
		codes: [131064],
		scope: 'campaign',
		report: {
			title: 'Templates in the wrong category',
			meaning: 'WhatsApp limits your account because templates were filed in the wrong category.',
			advice: 'Correct the category of your templates, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'WhatsApp limits this account because templates were filed in the wrong category. Correct the templates, then resume.',
	},
	{
		codes: [132001],
		scope: 'campaign',
		report: {
			title: 'The template does not exist',
			meaning: 'WhatsApp does not know this template in this language, or has not approved it.',
			advice: 'Sync the templates and create a new campaign.',
			isWorthRetrying: false,
		},
		stop: 'The template does not exist in this language or is not approved. Sync the templates and make a new campaign.',
		chat: 'WhatsApp does not know this template in this language, or has not approved it. Sync the templates.',
	},
	{
		codes: [132007],
		scope: 'campaign',
		report: UNUSABLE_TEMPLATE,
		stop: 'WhatsApp found that the template breaks its policy. Cancel this campaign and use another template.',
		chat: 'WhatsApp does not accept this template any more. Use another one.',
	},
	{
		codes: [132015],
		scope: 'campaign',
		report: UNUSABLE_TEMPLATE,
		stop: 'WhatsApp has paused the template because of its quality. Resume when it is approved again.',
		chat: 'WhatsApp has paused this template because of its quality. Use another one.',
	},
	{
		codes: [132016],
		scope: 'campaign',
		report: UNUSABLE_TEMPLATE,
		stop: 'WhatsApp has disabled the template. Cancel this campaign and use another template.',
		chat: 'WhatsApp has disabled this template. Use another one.',
	},
	{
		codes: [132068, 132069],
		scope: 'campaign',
		report: {
			title: 'The form in the template is blocked',
			meaning: 'WhatsApp has blocked or slowed down the form that this template opens.',
			advice: 'Correct the form in WhatsApp Manager, then use "Retry failed".',
			isWorthRetrying: true,
		},
		stop: 'WhatsApp has blocked or slowed down the form that the template opens. Correct it in WhatsApp Manager, then resume.',
	},
]
