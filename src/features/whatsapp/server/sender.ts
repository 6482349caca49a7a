import type { AccountId, Sql } from '#lib/server/db.ts'
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
	user: 'The saved access token cannot be read. Ask your administrator to save the WhatsApp credentials again, then resume.',
	admin:
		'The saved access token cannot be read. Save the WhatsApp credentials again. The user can then resume the campaigns.',
}

/**
 * The account's sender, or null as long as the admin has saved no credentials for it. One whose access token was sealed
 * with another SECRET_KEY is stopped, with that as its reason.
 */
export async function getSender(sql: Sql, vault: Vault, accountId: AccountId): Promise<Sender | null> {
	const stored = await queries.findSender(sql, accountId)
	if (!stored) return null
	const accessToken = openSecret(vault, accountId, stored.accessTokenSealed)
	return {
		phoneNumberId: stored.phoneNumberId,
		wabaId: stored.wabaId,
		accessToken: accessToken ?? '',
		appId: stored.appId,
		verifiedName: stored.verifiedName,
		businessName: stored.businessName,
		displayPhoneNumber: stored.displayPhoneNumber,
		messagesPerSecond: stored.messagesPerSecond,
		stoppedReason: accessToken === null ? TOKEN_UNREADABLE.user : stored.stoppedReason,
	}
}

/** The account's sender; a 400 as long as the admin has saved no credentials for it. */
export async function requireSender(sql: Sql, vault: Vault, accountId: AccountId): Promise<Sender> {
	const sender = await getSender(sql, vault, accountId)
	if (!sender) throw new AppError(400, NO_CREDENTIALS)
	return sender
}

/** Null where SECRET_KEY has changed since it was sealed: it must then be entered again. */
export function openSecret(vault: Vault, accountId: AccountId, sealed: Uint8Array): string | null {
	try {
		return vault.open(accountId, sealed)
	} catch {
		return null
	}
}

export type SenderState = Pick<Sender, 'messagesPerSecond' | 'stoppedReason'>

/** How fast the account may send, and whether it may; opens no secret. */
export async function getSenderState(sql: Sql, accountId: AccountId): Promise<SenderState | null> {
	return (await queries.findSender(sql, accountId)) ?? null
}

/** Keeps everything of the account from being sent, and says why. Returns whether it was not stopped before. */
export async function stopSender(sql: Sql, accountId: AccountId, reason: StopReason): Promise<boolean> {
	const isNew = await queries.updateStopped(sql, accountId, reason)
	if (isNew) announceLive(sql, accountId, { kind: 'sender' })
	return isNew
}

/** Lets the account send again, as when its owner asks to try once more. */
export async function resumeSender(sql: Sql, accountId: AccountId): Promise<void> {
	await queries.updateResumed(sql, accountId)
	announceLive(sql, accountId, { kind: 'sender' })
}

/** How long a report of a fault may be on its way and still stop the sender. */
const MAX_REPORT_HOURS = 1

/** From when on a reported fault says that the account cannot send now; undefined without a sender. */
export function faultsCountFrom(sql: Sql, accountId: AccountId): Promise<Date | undefined> {
	return queries.findCheckedAt(sql, accountId, MAX_REPORT_HOURS)
}
