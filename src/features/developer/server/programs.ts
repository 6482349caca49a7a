import { namesOfPrograms } from '#features/auth/server/programs.ts'
import { recordOwnChange } from '#features/auth/server/service.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import type { Person } from './person.ts'
import { accountPrograms } from './program-queries.ts'

/** Revokes every key and webhook of the account, and mails its user. Returns their number. */
export function revokeAll(db: Db, accountId: AccountId, person: Person): Promise<number> {
	return retriedTransaction(db, async (sql) => {
		const programs = await accountPrograms.list(sql, accountId, null)
		if (programs.length === 0) return 0
		await accountPrograms.revoke(sql, accountId, null)
		await recordOwnChange(sql, person, {
			action: 'programs-revoked',
			details: namesOfPrograms(programs),
			isMailed: true,
		})
		return programs.length
	})
}
