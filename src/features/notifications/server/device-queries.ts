import type { AccountId, Sql } from '#lib/server/db.ts'

export interface Device {
	id: number
	tokenHash: Buffer
	endpoint: string
	p256dh: string
	auth: string
	withTexts: boolean
}

/** Maximum number of devices per account. Older ones are deleted. */
const MAX_DEVICES = 20

/**
 * Stores the device of a session. Deletes the session's previous device, the same browser's device of an earlier
 * session, and the account's oldest devices above MAX_DEVICES.
 */
export async function upsertDevice(sql: Sql, accountId: AccountId, device: Omit<Device, 'id'>): Promise<void> {
	const { tokenHash, endpoint, p256dh, auth, withTexts } = device
	await sql`
		delete from push_devices
		where account_id = ${accountId} and (endpoint = ${endpoint} or token_hash = ${tokenHash} or id <= (
			select id from push_devices where account_id = ${accountId} order by id desc offset ${MAX_DEVICES - 1} limit 1
		))
	`
	await sql`
		insert into push_devices (account_id, token_hash, endpoint, p256dh, auth, with_texts)
		values (${accountId}, ${tokenHash}, ${endpoint}, ${p256dh}, ${auth}, ${withTexts})
		on conflict (account_id, token_hash) do nothing
	`
}

export async function listDeviceIds(sql: Sql, accountId: AccountId): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`select id from push_devices where account_id = ${accountId}`
	return rows.map(({ id }) => id)
}

/** Marks the account's devices as having a pending push. Returns the ids of the devices that had none before. */
export async function setPending(sql: Sql, accountId: AccountId): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		update push_devices set is_pending = true where account_id = ${accountId} and not is_pending returning id
	`
	return rows.map(({ id }) => id)
}

export async function clearPending(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	await sql`update push_devices set is_pending = false where account_id = ${accountId} and id = ${id}`
}

/** Returns a device by its id or by its session; undefined when there is none. */
export async function findDevice(
	sql: Sql,
	accountId: AccountId,
	key: { id: number } | { tokenHash: Buffer },
): Promise<Device | undefined> {
	const [row] = await sql<Device[]>`
		select id, token_hash as "tokenHash", endpoint, p256dh, auth, with_texts as "withTexts"
		from push_devices
		where account_id = ${accountId} and ${'id' in key ? sql`id = ${key.id}` : sql`token_hash = ${key.tokenHash}`}
	`
	return row
}

export async function deleteDevice(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	await sql`delete from push_devices where account_id = ${accountId} and id = ${id}`
}

export async function deleteDeviceOf(
	sql: Sql,
	accountId: AccountId,
	{ tokenHash }: { tokenHash: Buffer },
): Promise<void> {
	await sql`delete from push_devices where account_id = ${accountId} and token_hash = ${tokenHash}`
}
