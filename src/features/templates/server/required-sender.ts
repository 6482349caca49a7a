import { getSender, NO_CREDENTIALS, type Sender } from '#features/whatsapp/server/sender.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { Vault } from '#lib/server/secrets.ts'

/** The account's sender; a 400 as long as the admin has saved no credentials for it. */
export async function requireSender(sql: Sql, vault: Vault, owner: OwnerId): Promise<Sender> {
	const sender = await getSender(sql, vault, owner)
	if (sender) return sender
	throw new AppError(400, NO_CREDENTIALS)
}
