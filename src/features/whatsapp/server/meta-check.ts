import { notificationOf } from '#features/notifications/server/kinds.ts'
import { type Db, type AccountId, transaction } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import { AppError } from '#lib/server/errors.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { UNKNOWN_BILLING, billingProblems, type Billing } from './billing.ts'
import { getBilling, getBusinessName, getNumber, getProfilePicture, listNumberIds } from './cloud-api.ts'
import { GraphError, type CloudApi } from './graph-client.ts'
import { lockSender, takeNumberReading, updateBilling, updateNumber } from './queries.ts'
import { downloadSample } from './sample-download.ts'
import { getSender } from './sender.ts'

/** Facts from Meta about a sender's number and business. */
export interface CheckedSender extends Billing {
	verifiedName: string | null
	displayPhoneNumber: string | null
	businessName: string | null
	/** Picture as a `data:` URL. */
	profilePictureUrl: string | null
	messagesPerSecond: number
}

export interface GivenCredentials {
	phoneNumberId: string
	wabaId: string
	accessToken: string
}

const STANDARD_PER_SECOND = 80
const MAX_PICTURE_BYTES = 200 * 1024
const PICTURE_TYPES = ['image/jpeg', 'image/png']
/** Messages per second at Meta's throughput level HIGH. */
export const HIGH_PER_SECOND = 1000

const advice = {
	token:
		'WhatsApp does not accept this Access Token: it is invalid or has expired. Create a new permanent token in Meta Business settings and enter it here.',
	number:
		'WhatsApp does not show this Phone Number ID to the Access Token. Check the Phone Number ID, and that the token was created for the business that owns the number.',
	waba: 'WhatsApp does not show this WABA ID to the Access Token. Check the WABA ID, and that the token has the permission whatsapp_business_management for it.',
	stranger:
		'This phone number does not belong to this WABA ID. Copy both from the same page, API Setup, of the app in Meta for Developers.',
	network:
		'WhatsApp could not be reached, so the credentials could not be checked. Check the connection of the server and try again.',
}

/** Checks with Meta that these credentials can send. Throws a 400 with advice when they cannot. */
export async function checkWithMeta(api: CloudApi, given: GivenCredentials): Promise<CheckedSender> {
	// A token with other characters, copied by mistake, could not be sent in a header.
	if (!/^[\x20-\x7e]+$/.test(given.accessToken)) throw new AppError(400, advice.token)
	const number = await getNumber(api, given.phoneNumberId, given).catch(refuse(advice.number))
	const numberIds = await listNumberIds(api, given.wabaId, given).catch(refuse(advice.waba))
	if (!numberIds.includes(given.phoneNumberId)) throw new AppError(400, advice.stranger)
	const [businessName, profilePictureUrl, billing] = await Promise.all([
		orNull(getBusinessName(api, given.wabaId, given)),
		orNull(getProfilePicture(api, given.phoneNumberId, given).then((address) => keepPicture(api, address))),
		orNull(getBilling(api, given.wabaId, given)),
	])
	return {
		verifiedName: number.verifiedName,
		displayPhoneNumber: number.displayPhoneNumber,
		businessName,
		profilePictureUrl,
		messagesPerSecond: paceOf(number.throughput),
		...(billing ?? UNKNOWN_BILLING),
	}
}

/** Returns the messages per second of a throughput level. */
function paceOf(throughput: string | null): number {
	return throughput === 'HIGH' ? HIGH_PER_SECOND : STANDARD_PER_SECOND
}

interface DailyContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	notify: Notify
}

/**
 * Reads the account's billing and the number's throughput and name from Meta, once a day: no webhook reports billing or
 * a downgrade, and the webhook of an upgrade may be lost.
 */
export async function readNumberDaily(context: DailyContext, accountId: AccountId): Promise<void> {
	const { db, vault, cloudApi } = context
	const sender = await getSender(db, vault, accountId)
	if (!sender || sender.accessToken === '' || !(await takeNumberReading(db, accountId))) return
	const billing = await orNull(getBilling(cloudApi, sender.wabaId, sender))
	if (billing) await writeBilling(context, accountId, billing)
	const { throughput, verifiedName } = await getNumber(cloudApi, sender.phoneNumberId, sender)
	if (throughput === null) return
	await updateNumber(db, accountId, {
		messagesPerSecond: paceOf(throughput),
		verifiedName: verifiedName ?? sender.verifiedName,
	})
	announceLive(db, accountId, { kind: 'sender' })
}

/** Writes the billing and notifies the account's users of each new billing problem. */
async function writeBilling({ db, notify }: DailyContext, accountId: AccountId, billing: Billing): Promise<void> {
	await transaction(db, async (sql) => {
		const before = await lockSender(sql, accountId)
		if (!before) return
		await updateBilling(sql, accountId, billing)
		const known = billingProblems(before, before.displayPhoneNumber).map(({ user }) => user)
		const problems = billingProblems(billing, before.displayPhoneNumber).filter(({ user }) => !known.includes(user))
		for (const { user } of problems) await notify(sql, accountId, notificationOf.senderWarning({ text: user }))
	})
}

/**
 * Returns a handler that throws the `AppError` for a failed call. `hidden` is the advice for an object that is missing
 * or not visible to the token; Meta does not distinguish the two.
 */
function refuse(hidden: string): (error: unknown) => never {
	return (error) => {
		if (!(error instanceof GraphError)) throw new AppError(400, advice.network)
		const code = error.fault?.code
		if (code === 190 || code === 0 || error.status === 401) throw new AppError(400, advice.token)
		const isHidden = code === 100 || code === 33 || code === 10 || (code !== undefined && code >= 200 && code <= 299)
		if (isHidden) throw new AppError(400, hidden)
		throw new AppError(400, `WhatsApp could not check the credentials: ${error.message}. Please try again later.`)
	}
}

/**
 * Downloads the picture as a `data:` URL, because Meta's address expires and the content policy blocks pictures from
 * other hosts. Returns null for other types of files.
 */
async function keepPicture(api: CloudApi, address: string | null): Promise<string | null> {
	const content = address === null ? null : await downloadSample(api, address, MAX_PICTURE_BYTES)
	const type = content && typeByContent(content)
	return content && PICTURE_TYPES.includes(type ?? '') ? `data:${type};base64,${content.toString('base64')}` : null
}

/** Returns null when the call fails, because name and picture are optional. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
	return asked.catch(() => null)
}
