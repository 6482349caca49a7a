import { notificationOf } from '#features/notifications/server/kinds.ts'
import { problem } from '#features/whatsapp/problems.ts'
import { type AccountId, transaction } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { UNKNOWN_BILLING, billingProblems, type Billing, type SenderLimits } from '../rules.ts'
import { downloadSample } from './cloud-api-media.ts'
import { getBilling, getBusinessName, getNumber, getProfilePicture, listNumberIds } from './cloud-api.ts'
import { GraphError, type CloudApi } from './graph-client.ts'
import { readLimits, type LimitContext } from './limits/limit-reading.ts'
import { getLimits, paceOf } from './limits/limits.ts'
import { lockSender, takeNumberReading, updateBilling, updateVerifiedName } from './queries.ts'
import { getSender, requestLimitReading } from './service.ts'
import { checkUsage } from './usage-check.ts'

/** Facts from Meta about a sender's number and business. */
export interface CheckedSender extends Billing {
	verifiedName: string | null
	displayPhoneNumber: string | null
	businessName: string | null
	/** Picture as a `data:` URL. */
	profilePictureUrl: string | null
	messagesPerSecond: number
	/** Null when they could not be read. */
	limits: SenderLimits | null
}

export interface GivenCredentials {
	phoneNumberId: string
	wabaId: string
	accessToken: string
}

const MAX_PICTURE_BYTES = 200 * 1024
const PICTURE_TYPES = ['image/jpeg', 'image/png']

/** Checks with Meta that these credentials can send. Throws a 400 with advice when they cannot. */
export async function checkWithMeta(api: CloudApi, given: GivenCredentials): Promise<CheckedSender> {
	// A token with other characters, copied by mistake, could not be sent in a header.
	if (!/^[\x20-\x7e]+$/.test(given.accessToken)) throw problem('access_token_refused')
	const number = await getNumber(api, given.phoneNumberId, given).catch(refuse('phone_number_id_hidden'))
	const numberIds = await listNumberIds(api, given.wabaId, given).catch(refuse('waba_id_hidden'))
	if (!numberIds.includes(given.phoneNumberId)) throw problem('phone_number_of_other_waba')
	const [businessName, profilePictureUrl, billing, limits] = await Promise.all([
		orNull(getBusinessName(api, given.wabaId, given)),
		orNull(getProfilePicture(api, given.phoneNumberId, given).then((address) => keepPicture(api, address))),
		orNull(getBilling(api, given.wabaId, given)),
		orNull(getLimits(api, given)),
	])
	return {
		verifiedName: number.verifiedName,
		displayPhoneNumber: number.displayPhoneNumber,
		businessName,
		profilePictureUrl,
		messagesPerSecond: paceOf({ throughputLevel: number.throughput, isOnPhoneApp: limits?.isOnPhoneApp ?? null }),
		limits,
		...(billing ?? UNKNOWN_BILLING),
	}
}

interface DailyContext extends LimitContext {
	vault: Vault
	notify: Notify
}

/**
 * Reads the account's billing, its usage as Meta counts it, and the number's limits and name from Meta, once a day: no
 * webhook reports billing or a downgrade, and other webhooks may be lost.
 */
export async function readNumberDaily(context: DailyContext, accountId: AccountId): Promise<void> {
	const { db, vault, cloudApi } = context
	const sender = await getSender(db, vault, accountId)
	if (!sender || sender.accessToken === '' || !(await takeNumberReading(db, accountId))) return
	const billing = await orNull(getBilling(cloudApi, sender.wabaId, sender))
	if (billing) await writeBilling(context, accountId, billing)
	if (billing?.billingCurrency) await checkUsage(context, accountId, sender)
	const { verifiedName } = await getNumber(cloudApi, sender.phoneNumberId, sender)
	if (verifiedName !== null) await updateVerifiedName(db, accountId, verifiedName)
	await readLimits(context, accountId, sender).catch(async (error: unknown) => {
		await requestLimitReading(db, accountId)
		throw error
	})
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
 * Returns a handler that throws the `AppError` for a failed call. `hidden` is the code for an object that is missing
 * or not visible to the token; Meta does not distinguish the two.
 */
function refuse(hidden: 'phone_number_id_hidden' | 'waba_id_hidden'): (error: unknown) => never {
	return (error) => {
		if (!(error instanceof GraphError)) throw problem('credentials_unchecked')
		const code = error.fault?.code
		if (code === 190 || code === 0 || error.status === 401) throw problem('access_token_refused')
		const isHidden = code === 100 || code === 33 || code === 10 || (code !== undefined && code >= 200 && code <= 299)
		if (isHidden) throw problem(hidden)
		throw problem('credentials_check_failed', { reason: error.message })
	}
}

/**
 * Downloads the picture as a `data:` URL, because Meta's address expires and the content policy blocks pictures from
 * other hosts. Returns null without an address, for other types of files, and for more than MAX_PICTURE_BYTES.
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
