import type { OwnerId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import { AppError } from '#lib/server/errors.ts'
import type { Vault } from '#lib/server/secrets.ts'
import * as queries from './queries.ts'
import type { StopReason } from './queries.ts'

/** What sending for an account needs, its secrets opened: never to be logged or put on the wire. */
export interface Sender {
	phoneNumberId: string
	wabaId: string
	/** Empty when it cannot be opened. */
	accessToken: string
	appId: string | null
	verifiedName: string | null
	businessName: string | null
	displayPhoneNumber: string | null
	messagesPerSecond: number
	/** Why nothing may be sent at present, with what to do about it. */
	stoppedReason: string | null
}

/** For an account without a sender. */
export const NO_CREDENTIALS = 'WhatsApp credentials are not set up. Please contact your administrator.'

/** The access token was sealed with another SECRET_KEY. */
export const TOKEN_UNREADABLE: StopReason = {
	owner:
		'The saved access token cannot be read. Ask your administrator to save the WhatsApp credentials again, then resume.',
	admin:
		'The saved access token cannot be read. Save the WhatsApp credentials again. The user can then resume the campaigns.',
}

/**
 * The account's sender, or null as long as the admin has saved no credentials for it. One whose access token was sealed
 * with another SECRET_KEY is stopped, with that as its reason.
 */
export async function getSender(sql: Sql, vault: Vault, owner: OwnerId): Promise<Sender | null> {
	const stored = await queries.findSender(sql, owner)
	if (!stored) return null
	const accessToken = openSecret(vault, owner, stored.accessTokenSealed)
	return {
		phoneNumberId: stored.phoneNumberId,
		wabaId: stored.wabaId,
		accessToken: accessToken ?? '',
		appId: stored.appId,
		verifiedName: stored.verifiedName,
		businessName: stored.businessName,
		displayPhoneNumber: stored.displayPhoneNumber,
		messagesPerSecond: stored.messagesPerSecond,
		stoppedReason: accessToken === null ? TOKEN_UNREADABLE.owner : stored.stoppedReason,
	}
}

/** The account's sender; a 400 as long as the admin has saved no credentials for it. */
export async function requireSender(sql: Sql, vault: Vault, owner: OwnerId): Promise<Sender> {
	const sender = await getSender(sql, vault, owner)
	if (!sender) throw new AppError(400, NO_CREDENTIALS)
	return sender
}

/** Null where SECRET_KEY has changed since it was sealed: it must then be entered again. */
export function openSecret(vault: Vault, owner: OwnerId, sealed: Uint8Array): string | null {
	try {
		return vault.open(owner, sealed)
	} catch {
		return null
	}
}

export type SenderState = Pick<Sender, 'messagesPerSecond' | 'stoppedReason'>

/** How fast the account may send, and whether it may; opens no secret. */
export async function getSenderState(sql: Sql, owner: OwnerId): Promise<SenderState | null> {
	return (await queries.findSender(sql, owner)) ?? null
}

/** Keeps everything of the account from being sent, and says why. Returns whether it was not stopped before. */
export async function stopSender(sql: Sql, owner: OwnerId, reason: StopReason): Promise<boolean> {
	const isNew = await queries.updateStopped(sql, owner, reason)
	if (isNew) announceLive(sql, owner, { kind: 'sender' })
	return isNew
}

/** Lets the account send again, as when its owner asks to try once more. */
export async function resumeSender(sql: Sql, owner: OwnerId): Promise<void> {
	await queries.updateResumed(sql, owner)
	announceLive(sql, owner, { kind: 'sender' })
}

/** How long a report of a fault may be on its way and still stop the sender. */
const MAX_REPORT_HOURS = 1

/** From when on a reported fault says that the account cannot send now; undefined without a sender. */
export function faultsCountFrom(sql: Sql, owner: OwnerId): Promise<Date | undefined> {
	return queries.findCheckedAt(sql, owner, MAX_REPORT_HOURS)
}
