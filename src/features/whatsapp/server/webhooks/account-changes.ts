import type { StopReason } from '#features/whatsapp/rules.ts'
import { formatDateTime } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { isolate } from '#lib/text/bidi.ts'
import { isRecord, readSeconds } from '../graph-client.ts'
import { HIGH_PER_SECOND } from '../limits/limits.ts'
import { findSender, updatePace, updateVerifiedName } from '../queries.ts'

/**
 * Effect of a change of the business account: a reason to stop sending, a warning for its user, or the stop reason that no
 * longer applies.
 */
export type AccountChange = { stop: StopReason } | { warning: string } | { ended: StopReason }

const SEE_MANAGER = 'See the account in WhatsApp Manager, or ask your administrator.'

function stopped(what: string): { stop: StopReason } {
	return { stop: { user: `${what} ${SEE_MANAGER}`, admin: `${what} See the account in WhatsApp Manager.` } }
}

/** Stop while a number that is also in the phone app is disconnected from this product. */
const OFFBOARDED = stopped('The phone app has disconnected this number.')

/** Reasons for which WhatsApp ends the connection of a number in the phone app, in words. */
const DISCONNECTED: Record<string, string> = {
	BUSINESS_DOWNGRADE: 'the number moved to the personal WhatsApp app',
	PRIMARY_INACTIVITY: 'the phone app was not opened for too long',
	COMPANION_INACTIVITY: 'the linked devices were not used for too long',
	ACCOUNT_DISCONNECTED: 'the connection was ended in the phone app',
	CHANGE_NUMBER: 'the number was changed in the phone app',
	USER_RE_REGISTERED: 'the number was registered on the phone again',
}

function readRemoval(info: unknown): AccountChange {
	const reason = isRecord(info) && typeof info.reason === 'string' ? info.reason : ''
	const words = Object.hasOwn(DISCONNECTED, reason) ? DISCONNECTED[reason] : plain(reason)
	return stopped(`WhatsApp has disconnected this account${words ? `: ${words}` : ''}.`)
}

/** Reads a value of the webhook field account_update. Returns null when the event has no effect here. */
export function readAccountUpdate(value: unknown): AccountChange | null {
	if (!isRecord(value)) return null
	switch (value.event) {
		case 'DISABLED_UPDATE':
			return readBan(value.ban_info)
		case 'ACCOUNT_RESTRICTION':
			return readRestriction(value.restriction_info)
		case 'ACCOUNT_VIOLATION': {
			const info = isRecord(value.violation_info) ? value.violation_info : {}
			const what = typeof info.violation_type === 'string' ? ` (${plain(info.violation_type)})` : ''
			return { warning: `WhatsApp reports that your account has violated its policy${what}. ${SEE_MANAGER}` }
		}
		case 'ACCOUNT_DELETED':
			return stopped('The WhatsApp business account was removed.')
		case 'ACCOUNT_OFFBOARDED':
			return OFFBOARDED
		case 'ACCOUNT_RECONNECTED':
			return { ended: OFFBOARDED.stop }
		case 'PARTNER_REMOVED':
		case 'PARTNER_APP_UNINSTALLED':
			return readRemoval(value.disconnection_info)
		default:
			return null
	}
}

function readBan(ban: unknown): AccountChange | null {
	const state = isRecord(ban) ? ban.waba_ban_state : null
	// Meta's documentation shows the state as a text and as a list of one.
	switch (Array.isArray(state) ? state[0] : state) {
		case 'DISABLE':
			return stopped('WhatsApp has disabled this business account.')
		case 'SCHEDULE_FOR_DISABLE': {
			const day = isRecord(ban) && typeof ban.waba_ban_date === 'string' ? ban.waba_ban_date.slice(0, 50) : ''
			return { warning: `WhatsApp is about to disable this business account${day && ` (${day})`}. ${SEE_MANAGER}` }
		}
		case 'REINSTATE':
			return {
				warning: 'WhatsApp has reinstated this business account. Choose "Start sending again" at the top.',
			}
		default:
			return null
	}
}

/** Activity that each type of restriction forbids. */
const RESTRICTED: Record<string, string> = {
	RESTRICTED_BIZ_INITIATED_MESSAGING: 'begin conversations',
	RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'answer customers',
	RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'add phone numbers',
}

function readRestriction(info: unknown): AccountChange | null {
	const restrictions = (Array.isArray(info) ? (info as unknown[]) : []).filter(isRecord)
	const types = restrictions.map((each) => String(each.restriction_type))
	if (types.length === 0) return null
	const words = types.map((type) => (Object.hasOwn(RESTRICTED, type) ? RESTRICTED[type] : null))
	const isKnown = words.every((word) => word !== null)
	const what = isKnown
		? `does not let this account ${words.join(' or ')}`
		: `has restricted this account (${types.map(plain).join(', ')})`
	const end = readSeconds(Math.max(...restrictions.map(({ expiration }) => Number(expiration) || 0)))
	const until = end ? ` until ${formatDateTime(end.toISOString())}` : ''
	const text = `WhatsApp ${what}${until || ' at present'}.`
	return types.includes('RESTRICTED_BIZ_INITIATED_MESSAGING') ? stopped(text) : { warning: `${text} ${SEE_MANAGER}` }
}

function digits(text: unknown): string {
	return typeof text === 'string' ? text.replace(/\D/g, '') : ''
}

function plain(code: string): string {
	return code.toLowerCase().replaceAll('_', ' ').slice(0, 100)
}

/** Returns the text of a value of the webhook field account_alerts to notify the account's users of; null without one. */
export function readAlert(value: unknown): string | null {
	const info = isRecord(value) && isRecord(value.alert_info) ? value.alert_info : {}
	const { alert_description: text, alert_type: type, alert_status: status } = info
	const isDescribed = typeof text === 'string' && text.trim() !== ''
	const what = isDescribed ? text.trim().slice(0, 500) : typeof type === 'string' && type !== '' ? plain(type) : null
	if (what === null || status === 'NONE') return null
	return `WhatsApp reports about your account: ${isolate(what)}`
}

/**
 * Applies a number's higher throughput or new name. Returns the text to notify its user of, or null. Meta notifies all
 * numbers of a WABA: changes of other numbers are ignored.
 */
export async function applyNumberChange(sql: Sql, accountId: AccountId, value: unknown): Promise<string | null> {
	if (!isRecord(value)) return null
	const sender = await findSender(sql, accountId)
	if (!sender || digits(sender.displayPhoneNumber) !== digits(value.display_phone_number)) return null
	if (value.decision === 'REJECTED') return refusedName(value)
	const isFaster = value.event === 'THROUGHPUT_UPGRADE'
	const name =
		value.decision === 'APPROVED' && typeof value.requested_verified_name === 'string'
			? value.requested_verified_name.slice(0, 200)
			: null
	if (!isFaster && name === null) return null
	if (isFaster) await updatePace(sql, accountId, HIGH_PER_SECOND)
	if (name !== null) await updateVerifiedName(sql, accountId, name)
	announceLive(sql, accountId, { kind: 'sender' })
	return null
}

function refusedName({ requested_verified_name: name, rejection_reason: reason }: Record<string, unknown>): string {
	const which = typeof name === 'string' && name !== '' ? ` "${isolate(name.slice(0, 200))}"` : ''
	const why = typeof reason === 'string' && reason !== '' && reason !== 'NONE' ? ` (${plain(reason)})` : ''
	return `WhatsApp did not approve the display name${which}${why}. ${SEE_MANAGER}`
}
