import { problem } from '#features/whatsapp/problems.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { handlerOf } from '#lib/server/jobs/jobs.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { healthStop, type SenderLimits, type StopReason } from '../rules.ts'
import { GraphError } from './graph-client.ts'
import { findLimits } from './limits/limit-queries.ts'
import { readLimits, readLimitsJob, requestReading, type LimitContext } from './limits/limit-reading.ts'
import * as queries from './queries.ts'

/** Sender of an account with its secrets decrypted: never log or return it. */
export interface Sender {
	phoneNumberId: string
	wabaId: string
	/** Empty when the stored token cannot be decrypted. */
	accessToken: string
	appId: string | null
	verifiedName: string | null
	businessName: string | null
	displayPhoneNumber: string | null
	messagesPerSecond: number
	/** Reason why sending is stopped, with what to do; null while it is allowed. */
	stoppedReason: string | null
}

/** Stop reason for an access token that was encrypted with another SECRET_KEY. */
export const TOKEN_UNREADABLE: StopReason = {
	user: 'The saved access token cannot be read. Ask your administrator to save the WhatsApp credentials again, then resume.',
	admin:
		'The saved access token cannot be read. Save the WhatsApp credentials again. The user can then resume the campaigns.',
}

/**
 * Returns the account's sender; null while no credentials are saved. A sender whose token cannot be decrypted is
 * returned as stopped, with that reason.
 */
export async function getSender(sql: Sql, vault: Vault, accountId: AccountId): Promise<Sender | null> {
	const stored = await queries.findSender(sql, accountId)
	if (!stored) return null
	const accessToken = decryptSecret(vault, accountId, stored.encryptedAccessToken)
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

/** Returns the account's sender. Throws a 400 while no credentials are saved. */
export async function requireSender(sql: Sql, vault: Vault, accountId: AccountId): Promise<Sender> {
	const sender = await getSender(sql, vault, accountId)
	if (!sender) throw problem('credentials_missing')
	return sender
}

/** Decrypts a secret. Returns null when SECRET_KEY has changed since, so that the secret must be entered again. */
export function decryptSecret(vault: Vault, accountId: AccountId, encrypted: Uint8Array): string | null {
	try {
		return vault.decrypt(accountId, encrypted)
	} catch {
		return null
	}
}

/** Name shown when Meta has returned no name. */
const NAMELESS = 'Your Business'

/** The account's business as WhatsApp shows it to customers. */
export interface BusinessProfile {
	verifiedName: string
	businessName: string
	/** Picture as a `data:` URL. */
	profilePictureUrl: string | null
	/** True when the credentials include the App ID, which Meta's upload of header files requires. */
	canUploadHeader: boolean
}

/** Returns the account's business profile, also without a sender. */
export async function getBusinessProfile(sql: Sql, accountId: AccountId): Promise<BusinessProfile> {
	const business = await queries.findBusiness(sql, accountId)
	return {
		verifiedName: business?.verifiedName ?? NAMELESS,
		businessName: business?.businessName ?? business?.verifiedName ?? NAMELESS,
		profilePictureUrl: business?.picture ?? null,
		canUploadHeader: Boolean(business?.appId),
	}
}

export type SenderState = Pick<Sender, 'messagesPerSecond' | 'stoppedReason'>

/** Returns the sender's pace and stop reason without decrypting its secrets; null without a sender. */
export async function getSenderState(sql: Sql, accountId: AccountId): Promise<SenderState | null> {
	return (await queries.findSender(sql, accountId)) ?? null
}

/** Stops an account's sender, pauses its campaigns and notifies its users. The app supplies it, since a later feature owns campaigns. */
export type PauseSender = (db: Db, accountId: AccountId, reason: StopReason) => Promise<void>

/**
 * Stops all sending of the account, with a reason, and requests a reading of its limits, which may have changed with it.
 * Returns false when it was stopped already.
 */
export async function stopSender(sql: Sql, accountId: AccountId, reason: StopReason): Promise<boolean> {
	const isNew = await queries.updateStopped(sql, accountId, reason)
	if (isNew) {
		await requestReading(sql, accountId)
		announceLive(sql, accountId, { kind: 'sender' })
	}
	return isNew
}

/** Resumes sending of the account, for instance when its user asks for another attempt. */
export async function resumeSender(sql: Sql, accountId: AccountId): Promise<void> {
	await queries.updateResumed(sql, accountId)
	announceLive(sql, accountId, { kind: 'sender' })
}

/** Returns true while the sender is stopped for this reason, and locks the sender. */
export async function isStoppedFor(sql: Sql, accountId: AccountId, reason: StopReason): Promise<boolean> {
	return (await queries.lockSender(sql, accountId))?.stoppedReason === reason.user
}

/** Maximum age in hours at which a fault in a status update may stop the sender. */
const MAX_REPORT_HOURS = 1

/** Returns the time from which a fault in a status update stops the sender; undefined without a sender. */
export function faultsCountFrom(sql: Sql, accountId: AccountId): Promise<Date | undefined> {
	return queries.findCheckedAt(sql, accountId, MAX_REPORT_HOURS)
}

/** Requests a reading of the account's limits and health, in the caller's transaction. A burst causes one reading. */
export function requestLimitReading(sql: Sql, accountId: AccountId): Promise<void> {
	return requestReading(sql, accountId)
}

/** Returns the last reading of the limits of the account's number; null without a number. */
export async function getSenderLimits(sql: Sql, accountId: AccountId): Promise<SenderLimits | null> {
	return (await findLimits(sql, accountId)) ?? null
}

export type ReadingContext = LimitContext & { vault: Vault }

/** Reads and writes the limits of the account's number. Does nothing without usable credentials. */
export async function readSenderLimits(context: ReadingContext, accountId: AccountId): Promise<void> {
	const sender = await getSender(context.db, context.vault, accountId)
	if (sender && sender.accessToken !== '') await readLimits(context, accountId, sender)
}

/** Returns the handler of requested readings. A request that a later reading has answered causes none. */
export const limitHandlers = (context: ReadingContext) => [
	handlerOf(readLimitsJob, async ({ data: { accountId, at } }) => {
		const known = await findLimits(context.db, accountId)
		if (!known || (known.readAt !== null && known.readAt > new Date(at))) return
		await readSenderLimits(context, accountId).catch(ignoreRefusedToken)
	}),
]

/** Ignores a refused token: sending stops with its reason, and saving another token reads the limits. */
function ignoreRefusedToken(error: unknown): void {
	const isRefused = error instanceof GraphError && error.status < 500 && error.fault?.code === 190
	if (!isRefused) throw error
}

/** Milliseconds for which a reading that found the number blocked is not repeated. */
const BLOCK_STALE_MS = 30_000

/**
 * Throws a 409 with Meta's advice while Meta blocks the account's number. Reads the health again first, since Meta
 * reports the end of a block late or not at all.
 */
export async function refuseWhileBlocked(context: ReadingContext, accountId: AccountId): Promise<void> {
	const known = await findLimits(context.db, accountId)
	if (!known || !healthStop(known)) return
	const age = Date.now() - (known.readAt?.getTime() ?? 0)
	// A reading that fails leaves the last known health.
	if (age > BLOCK_STALE_MS) await readSenderLimits(context, accountId).catch(() => {})
	const reason = healthStop((await findLimits(context.db, accountId)) ?? known)
	if (reason) throw problem('number_blocked', { reason: reason.user })
}
