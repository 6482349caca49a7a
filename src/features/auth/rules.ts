import { AdminActionKind } from './contract.ts'
import type { WorkGroup, WorkKind } from './work-contract.ts'

/** Text of each action on the screen, followed by the subject unless users changed their own account. */
export const ADMIN_ACTION_TEXTS: Record<AdminActionKind, string> = {
	'user-created': 'Created user',
	'password-link-mailed': 'Mailed password link to',
	'colleague-invited': 'Invited colleague',
	'colleague-changed': 'Changed role of colleague',
	'colleague-removed': 'Removed colleague',
	'user-edited': 'Edited user',
	'user-activated': 'Activated user',
	'user-deactivated': 'Deactivated user',
	'user-deleted': 'Deleted user',
	'links-stopped': 'Stopped links of',
	'links-resumed': 'Resumed links of',
	'data-downloaded': 'Downloaded all data of',
	'data-erased': 'Erased all data of',
	'credentials-saved': 'Saved credentials',
	'recharge-added': 'Added recharge',
	'payment-credited': 'Added money online',
	'payment-refunded': 'Online payment was refunded',
	'payment-disputed': 'Online payment was disputed',
	'refund-approved': 'Approved refund',
	'refund-refused': 'Refused refund',
	'prices-changed': 'Changed prices',
	'rates-loaded': "Loaded WhatsApp's rates",
	'rates-removed': "Removed WhatsApp's rates",
	'webhook-replayed': 'Replayed webhook',
	'email-changed': 'Changed own email',
	'email-confirmed': 'Confirmed own email',
	'email-undone': 'Undid change of own email',
	'password-changed': 'Changed own password',
	'password-reset': 'Reset own password by link',
	'second-factor-added': 'Set up own two-step login',
	'second-factor-removed': 'Removed own two-step login',
	'second-factor-reset': 'Reset two-step login',
	'recovery-code-used': 'Used own recovery code',
	'api-key-made': 'Made own API key',
	'api-key-revoked': 'Revoked own API key',
	'webhook-added': 'Added own webhook',
	'webhook-changed': 'Changed own webhook',
	'webhook-deleted': 'Deleted own webhook',
	'programs-revoked': 'Revoked own API keys and webhooks',
}

/** Returns the actions whose words contain the text, in any letter case. */
export function actionsNamed(text: string): AdminActionKind[] {
	const wanted = text.toLowerCase()
	return AdminActionKind.options.filter((action) => ADMIN_ACTION_TEXTS[action].toLowerCase().includes(wanted))
}

export const WORK_GROUP_NAMES: Record<WorkGroup, string> = {
	campaigns: 'Campaigns',
	templates: 'Templates',
	contacts: 'Contacts',
	'opt-outs': 'Opt-outs',
	exports: 'Downloads',
	people: 'People',
	programs: 'API keys and webhooks',
}

/** Texts of an account's actions by group, in the past tense of the person who acted. */
const TEXTS: Record<WorkGroup, Partial<Record<WorkKind | AdminActionKind, string>>> = {
	campaigns: {
		'campaign-created': 'Created campaign',
		'campaign-edited': 'Edited campaign',
		'campaign-paused': 'Paused campaign',
		'campaign-resumed': 'Resumed campaign',
		'campaign-cancelled': 'Cancelled campaign',
		'sending-resumed': 'Resumed sending',
	},
	templates: {
		'template-created': 'Created template',
		'template-file-changed': 'Changed file of template',
		'template-deleted': 'Deleted template',
	},
	contacts: {
		'contacts-uploaded': 'Uploaded contacts',
		'contacts-deleted': 'Deleted contacts',
		'group-deleted': 'Deleted group',
		'segment-created': 'Saved segment',
		'segment-changed': 'Changed segment',
		'segment-deleted': 'Deleted segment',
		'person-erased': 'Erased one customer',
	},
	'opt-outs': { 'opted-out': 'Opted out by hand', 'opted-in': 'Opted in by hand' },
	exports: {
		'contacts-exported': 'Exported contacts',
		'recipients-exported': 'Exported recipients of campaign',
		'statement-exported': 'Exported wallet statement',
		'activity-exported': 'Exported activity',
		'person-downloaded': 'Downloaded the data of one customer',
		'data-downloaded': 'Downloaded all data of the account',
	},
	people: {
		'colleague-invited': 'Invited colleague',
		'colleague-changed': 'Changed role of colleague',
		'colleague-removed': 'Removed colleague',
	},
	programs: {
		'api-key-made': 'Made API key',
		'api-key-revoked': 'Revoked API key',
		'webhook-added': 'Added webhook',
		'webhook-changed': 'Changed webhook',
		'webhook-deleted': 'Deleted webhook',
		'programs-revoked': 'Revoked API keys and webhooks',
	},
}

/** Text of each action that the activity of an account shows. */
export const WORK_TEXTS: Partial<Record<WorkKind | AdminActionKind, string>> = Object.fromEntries(
	Object.values(TEXTS).flatMap((texts) => Object.entries(texts)),
)

/** Returns the actions of a group; of all groups without one. */
export function actionsOf(group?: WorkGroup): string[] {
	return Object.keys(group ? TEXTS[group] : WORK_TEXTS)
}
