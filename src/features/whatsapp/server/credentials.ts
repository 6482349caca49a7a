import { getMember, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { problem } from '#features/whatsapp/problems.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { getNow } from '#lib/server/db/now.ts'
import type { Log } from '#lib/server/log.ts'
import { randomToken, type Vault } from '#lib/server/secrets.ts'
import type { Credentials } from '../contract.ts'
import { billingProblems } from '../rules.ts'
import { subscribeWebhooks } from './cloud-api.ts'
import { GraphError, type CloudApi } from './graph-client.ts'
import { findLimits, type StoredLimits } from './limits/limit-queries.ts'
import { applyLimits, forgetLimits, type OnLimitsRead } from './limits/limit-reading.ts'
import { checkWithMeta, type GivenCredentials } from './meta-check.ts'
import * as queries from './queries.ts'
import type { StoredSender } from './queries.ts'
import { decryptSecret, requestLimitReading } from './service.ts'
import { APP_KEY, webhookKey } from './webhooks/sender-directory.ts'

export interface CredentialsContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	log: Log
	onLimitsRead: OnLimitsRead
	env: {
		PUBLIC_URL: string
		META_APP_SECRET?: string | undefined
		META_APP_VERIFY_TOKEN?: string | undefined
		ALLOW_UNSIGNED_WEBHOOKS: boolean
	}
}

/** Credentials as typed in the admin's form. A secret equal to its mask keeps the stored secret. */
export interface TypedCredentials {
	phone_number_id: string
	waba_id: string
	access_token: string
	app_id?: string | undefined
	app_secret?: string | undefined
	/** Person who typed the credentials, for the audit trail. */
	actor?: Actor
}

const MASK = '••••••••'

/** Masks a secret as `••••••••1a2b`. Secrets shorter than 12 characters are hidden completely. */
function mask(secret: string): string {
	return MASK + (secret.length >= 12 ? secret.slice(-4) : '')
}

function shown(vault: Vault, accountId: AccountId, encrypted: Buffer | null): string {
	const secret = encrypted && decryptSecret(vault, accountId, encrypted)
	return secret === null ? '' : mask(secret)
}

export async function getCredentials(context: CredentialsContext, userId: string): Promise<Credentials> {
	const { accountId } = await getMember(context.db, userId)
	const stored = await queries.findSender(context.db, accountId)
	if (!stored) throw problem('credentials_not_found')
	return present(context, accountId, { ...stored, limits: await findLimits(context.db, accountId) })
}

/**
 * Checks the credentials with Meta, stores them encrypted, and subscribes to Meta's webhooks. The sender is committed
 * before the subscription, because Meta calls the webhook address during it. A failed subscription is only a warning.
 */
export async function saveCredentials(
	context: CredentialsContext,
	userId: string,
	typed: TypedCredentials,
): Promise<{ credentials: Credentials; warnings: string[]; isWebhookConnected: boolean }> {
	const { db, vault } = context
	const { id, accountId } = await getMember(db, userId)
	const stored = await queries.findSender(db, accountId)
	const storedToken = stored ? decryptSecret(vault, accountId, stored.encryptedAccessToken) : null
	const storedSecret = stored?.encryptedAppSecret ? decryptSecret(vault, accountId, stored.encryptedAppSecret) : null
	const accessToken = unmask(typed.access_token, storedToken, 'Access Token')
	const appSecret = unmask(typed.app_secret ?? '', storedSecret, 'App Secret')
	const given = { phoneNumberId: typed.phone_number_id, wabaId: typed.waba_id, accessToken }
	await refuseTakenNumber(db, accountId, given)
	const readAt = await getNow(db)
	const { limits, ...checked } = await checkWithMeta(context.cloudApi, given)
	const saved = await retriedTransaction(db, async (sql) => {
		await queries.lockPhoneNumberAllAccounts(sql, given.phoneNumberId)
		await refuseTakenNumber(sql, accountId, given)
		announceLive(sql, accountId, { kind: 'sender' })
		if (typed.actor) {
			const details = describe(given, {
				token: accessToken !== storedToken,
				secret: appSecret !== (storedSecret ?? ''),
			})
			await recordAdminAction(sql, typed.actor, { action: 'credentials-saved', subjectId: id, details })
		}
		if (stored && stored.phoneNumberId !== given.phoneNumberId) {
			await queries.insertFormerNumber(sql, accountId, stored.phoneNumberId)
			await forgetLimits(sql, accountId)
		}
		const sender = await queries.saveSender(sql, accountId, {
			...checked,
			phoneNumberId: given.phoneNumberId,
			wabaId: given.wabaId,
			encryptedAccessToken: vault.encrypt(accountId, accessToken),
			appId: typed.app_id || null,
			encryptedAppSecret: appSecret ? vault.encrypt(accountId, appSecret) : null,
			webhookKey: webhookKey(accountId, randomToken()),
			verifyToken: randomToken(),
		})
		if (limits) await applyLimits(sql, accountId, { limits, readAt, of: given, onLimitsRead: context.onLimitsRead })
		else await requestLimitReading(sql, accountId)
		// Reads the sender again, because a blocked number has stopped it.
		const now = (await queries.findSender(sql, accountId)) ?? sender
		return { ...now, limits: await findLimits(sql, accountId) }
	})
	const unconnected = [...(await subscribe(context, saved, given)), ...unsignedWarning(context, saved)]
	return {
		credentials: present(context, accountId, saved),
		warnings: [...unconnected, ...billingWarnings(saved)],
		isWebhookConnected: unconnected.length === 0,
	}
}

function billingWarnings(sender: StoredSender): string[] {
	return billingProblems(sender, sender.displayPhoneNumber).map(({ admin }) => admin)
}

/** Returns a warning when no webhook of this sender can be verified, so that all are refused. */
function unsignedWarning({ env }: CredentialsContext, { encryptedAppSecret }: StoredSender): string[] {
	if (encryptedAppSecret || env.META_APP_SECRET || env.ALLOW_UNSIGNED_WEBHOOKS) return []
	return [
		'Delivery reports and replies will be refused: without the App Secret they cannot be verified. ' +
			'Enter the App Secret of your Meta app, then save again.',
	]
}

/** Returns the audit trail's details: ids and which secrets changed, never their values. */
function describe(
	{ phoneNumberId, wabaId }: GivenCredentials,
	{ token, secret }: { token: boolean; secret: boolean },
): string {
	const changes = [token && 'access token changed', secret && 'app secret changed'].filter(Boolean)
	return [`phone number ID ${phoneNumberId}`, `WABA ID ${wabaId}`, ...changes].join(', ')
}

function unmask(typed: string, stored: string | null, label: string): string {
	if (!typed.startsWith(MASK)) return typed
	if (stored !== null && typed === mask(stored)) return stored
	throw problem('credential_masked', { label })
}

async function refuseTakenNumber(
	sql: Parameters<typeof queries.isNumberTakenAllAccounts>[0],
	accountId: AccountId,
	{ phoneNumberId }: GivenCredentials,
): Promise<void> {
	if (await queries.isNumberTakenAllAccounts(sql, accountId, phoneNumberId)) {
		throw problem('sender_number_taken')
	}
}

async function subscribe(context: CredentialsContext, saved: StoredSender, given: GivenCredentials): Promise<string[]> {
	const url = webhookUrl(context, saved)
	const hook = { accessToken: given.accessToken, url, verifyToken: saved.verifyToken }
	try {
		await subscribeWebhooks(context.cloudApi, given.wabaId, hook)
		return []
	} catch (error) {
		context.log.warn({ error, wabaId: given.wabaId }, 'webhooks could not be subscribed')
		const why = error instanceof GraphError ? error.message : 'WhatsApp could not be reached'
		return [
			`Delivery reports and replies will not arrive yet: our webhook address could not be registered with WhatsApp (${why}). ` +
				`Make sure that ${url} can be reached from the internet, then save again.`,
		]
	}
}

function webhookUrl({ env }: CredentialsContext, { webhookKey: key }: Pick<StoredSender, 'webhookKey'>): string {
	return `${env.PUBLIC_URL.replace(/\/$/, '')}/api/webhooks/whatsapp/${key}`
}

/** Returns the address for the Meta app of the sender; null when it uses the operator's app and this app is not configured. */
function appWebhookUrl(context: CredentialsContext, accountId: AccountId, stored: StoredSender): string | null {
	const { META_APP_SECRET: shared, META_APP_VERIFY_TOKEN: token } = context.env
	const own = stored.encryptedAppSecret && decryptSecret(context.vault, accountId, stored.encryptedAppSecret)
	if (own !== null && own !== shared) return webhookUrl(context, stored)
	return shared && token ? webhookUrl(context, { webhookKey: APP_KEY }) : null
}

function present(
	context: CredentialsContext,
	accountId: AccountId,
	stored: StoredSender & { limits: StoredLimits | undefined },
): Credentials {
	const { vault } = context
	return {
		phone_number_id: stored.phoneNumberId,
		waba_id: stored.wabaId,
		access_token: shown(vault, accountId, stored.encryptedAccessToken),
		app_id: stored.appId ?? '',
		app_secret: shown(vault, accountId, stored.encryptedAppSecret),
		webhookUrl: webhookUrl(context, stored),
		verifyToken: stored.verifyToken,
		appWebhookUrl: appWebhookUrl(context, accountId, stored),
		verifiedName: stored.verifiedName,
		displayPhoneNumber: stored.displayPhoneNumber,
		messagesPerSecond: stored.messagesPerSecond,
		stoppedReason: stored.stoppedReasonForAdmin,
		waitingCause: stored.waitingCause,
		limits: presentLimits(stored.limits),
		billingCurrency: stored.billingCurrency,
		hasPaymentMethod: stored.hasPaymentMethod,
		billingWarnings: billingWarnings(stored),
	}
}

function presentLimits(limits: StoredLimits | undefined): Credentials['limits'] {
	return limits?.readAt ? { ...limits, readAt: limits.readAt.toISOString() } : null
}
