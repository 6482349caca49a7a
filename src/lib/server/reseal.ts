import type { AccountId } from './db.ts'
import type { Vault } from './secrets.ts'

interface SealedRow {
	accountId: AccountId
	sealed: Buffer
}

export interface Resealed {
	resealed: number
	/** Accounts with a secret that no key of the vault decrypts; it stays unchanged. */
	unreadable: AccountId[]
}

/**
 * Encrypts secrets with the vault's current key when they use an older one. `list` returns the next rows after `last`.
 */
export async function reseal<Row extends SealedRow>(
	vault: Vault,
	rows: { list(last: Row | undefined): Promise<Row[]>; update(row: Row, after: Buffer): Promise<void> },
): Promise<Resealed> {
	const done: Resealed = { resealed: 0, unreadable: [] }
	let batch: Row[] = []
	do {
		batch = await rows.list(batch.at(-1))
		for (const row of batch) {
			if (vault.isCurrent(row.sealed)) continue
			try {
				await rows.update(row, vault.seal(row.accountId, vault.open(row.accountId, row.sealed)))
				done.resealed++
			} catch {
				done.unreadable.push(row.accountId)
			}
		}
	} while (batch.length > 0)
	return done
}
