import { recordOwnChange } from '#features/auth/server/service.ts'
import { problem } from '#features/developer/problems.ts'
import * as queries from '#features/events/server/address-queries.ts'
import type { Target } from '#features/events/server/address-queries.ts'
import * as deliveries from '#features/events/server/delivery-queries.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { isPublicUrl, targetRules } from '#lib/server/http/public-request.ts'
import { reencrypt, type Reencrypted } from '#lib/server/reencrypt.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { Person } from '../person.ts'
import { queueDelivery, testBody } from './deliver.ts'
import { newSecret } from './secrets.ts'

export interface AddressContext {
	db: Db
	vault: Vault
	env: { ALLOW_PRIVATE_TARGETS: boolean; PUBLIC_URL: string; LINK_URL?: string | undefined }
}

const MAX_ADDRESSES = 10

interface Wanted {
	person: Person
	target: Target
	/** Rejects when the caller's identity is not proved. */
	prove(): Promise<void>
}

/**
 * Adds an address and mails the account's user. Returns its id and its secret, which cannot be read again. Throws for a URL
 * that `refuseUnreachable` refuses, and for an address beyond MAX_ADDRESSES.
 */
export async function addAddress(
	context: AddressContext,
	accountId: AccountId,
	{ person, target, prove }: Wanted,
): Promise<{ id: number; secret: string }> {
	refuseUnreachable(context, target)
	await prove()
	const { secret, encrypted } = newSecret(context.vault, accountId)
	const id = await retriedTransaction(context.db, async (sql) => {
		if ((await queries.countAddresses(sql, accountId)) >= MAX_ADDRESSES)
			throw problem('webhooks_full', { most: MAX_ADDRESSES })
		const added = await queries.insertAddress(sql, accountId, {
			...target,
			events: [...new Set(target.events)],
			encrypted,
		})
		await recordOwnChange(sql, person, { action: 'webhook-added', details: target.url, isMailed: true })
		return added
	})
	return { id, secret }
}

/**
 * Changes an address and switches it on. A new URL requires a proof of identity and causes a mail. Throws a 404 for an
 * unknown address.
 */
export async function changeAddress(
	context: AddressContext,
	accountId: AccountId,
	{ person, id, target, prove }: Wanted & { id: string },
): Promise<void> {
	refuseUnreachable(context, target)
	const known = await queries.findUrl(context.db, accountId, id)
	if (known !== undefined && known !== target.url) await prove()
	await retriedTransaction(context.db, async (sql) => {
		const before = await queries.lockAddress(sql, accountId, id)
		if (!before) throw notFound('Webhook')
		const isRenewed = before.url !== target.url
		if (isRenewed && before.url !== known) throw problem('webhook_changed')
		await queries.updateTarget(sql, accountId, { ...target, events: [...new Set(target.events)], id })
		// Deliveries that waited while the address was off become due.
		if (before.isOff) await deliveries.hastenDeliveries(sql, accountId, Number(id))
		const details = isRenewed ? `${before.url} → ${target.url}` : target.url
		await recordOwnChange(sql, person, { action: 'webhook-changed', details, isMailed: isRenewed })
		if (isRenewed) await queries.updateRenewed(sql, accountId, id)
	})
}

export function deleteAddress(
	{ db }: AddressContext,
	accountId: AccountId,
	{ person, id }: { person: Person; id: string },
): Promise<void> {
	return retriedTransaction(db, async (sql) => {
		const url = await queries.deleteAddress(sql, accountId, id)
		if (url === undefined) throw notFound('Webhook')
		await recordOwnChange(sql, person, { action: 'webhook-deleted', details: url })
	})
}

/**
 * Creates and returns a new secret of an address. The previous secret also signs for a day. Throws a 404 for an unknown
 * address.
 */
export function rotateSecret(
	{ db, vault }: AddressContext,
	accountId: AccountId,
	{ person, id }: { person: Person; id: string },
): Promise<string> {
	return retriedTransaction(db, async (sql) => {
		const before = await queries.lockAddress(sql, accountId, id)
		if (!before) throw notFound('Webhook')
		const { secret, encrypted } = newSecret(vault, accountId, before.encrypted)
		await queries.updateSecret(sql, accountId, { id, before: before.encrypted, after: encrypted })
		await recordOwnChange(sql, person, {
			action: 'webhook-changed',
			details: `${before.url}: new secret`,
			isMailed: true,
		})
		await queries.updateRenewed(sql, accountId, id)
		return secret
	})
}

/** Queues a test event ahead of all waiting events. Throws for an address that is unknown or switched off. */
export function sendTest({ db }: AddressContext, accountId: AccountId, id: string): Promise<void> {
	return transaction(db, async (sql) => {
		const address = await queries.lockAddress(sql, accountId, id)
		if (!address) throw notFound('Webhook')
		if (address.isOff) throw problem('webhook_off')
		await deliveries.insertDelivery(sql, accountId, { address: Number(id), body: testBody(), eventCount: 1 })
		await queueDelivery(sql, accountId, Number(id))
	})
}

/**
 * Queues a delivery again, with the same webhook-id. Throws for a delivery that is deleted or whose address is switched
 * off.
 */
export function sendAgain({ db }: AddressContext, accountId: AccountId, id: string): Promise<void> {
	return transaction(db, async (sql) => {
		const address = await deliveries.requeueDelivery(sql, accountId, id)
		if (address === undefined) throw notFound('Delivery')
		if (address === null) throw problem('webhook_off')
		await queueDelivery(sql, accountId, address)
	})
}

/**
 * Throws 400 for a URL that is not public, or has credentials or a fragment. The IP addresses of a host name are checked at
 * each connection.
 */
function refuseUnreachable({ env }: AddressContext, { url }: Target): void {
	if (!isPublicUrl(url, targetRules(env))) throw problem('webhook_not_public')
	const { username, password, hash } = new URL(url)
	if (username !== '' || password !== '' || hash !== '') throw problem('webhook_address_unclean')
}

/** Re-encrypts the secrets of all addresses with the vault's current key. */
export function reencryptAddresses(sql: Sql, vault: Vault): Promise<Reencrypted> {
	return reencrypt<queries.EncryptedAddress>(vault, {
		list: (last) => queries.listSecretsAllAccounts(sql, last?.id ?? 0),
		update: ({ accountId, id, encrypted }, after) =>
			queries.updateSecret(sql, accountId, { id, before: encrypted, after }),
	})
}
