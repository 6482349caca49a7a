import type { AccountId } from './db.ts'
import type { Vault } from './secrets.ts'

interface EncryptedRow {
	accountId: AccountId
	encrypted: Buffer
}

export interface Reencrypted {
	reencrypted: number
	/** Accounts with a secret that no key of the vault decrypts; it stays unchanged. */
	unreadable: AccountId[]
}

/**
 * Encrypts secrets with the vault's current key when they use an older one. `list` returns the next rows after `last`.
 */
export async function reencrypt<Row extends EncryptedRow>(
	vault: Vault,
	rows: { list(last: Row | undefined): Promise<Row[]>; update(row: Row, after: Buffer): Promise<void> },
): Promise<Reencrypted> {
	const done: Reencrypted = { reencrypted: 0, unreadable: [] }
	let batch: Row[] = []
	do {
		batch = await rows.list(batch.at(-1))
		for (const row of batch) {
			if (vault.isCurrent(row.encrypted)) continue
			try {
				await rows.update(row, vault.encrypt(row.accountId, vault.decrypt(row.accountId, row.encrypted)))
				done.reencrypted++
			} catch {
				done.unreadable.push(row.accountId)
			}
		}
	} while (batch.length > 0)
	return done
}
