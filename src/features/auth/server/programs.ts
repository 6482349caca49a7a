import type { AccountId, Sql } from '#lib/server/db.ts'

export interface ProgramAccess {
	kind: 'api-key' | 'webhook'
	/** An API key's name or a webhook's URL. */
	name: string
	madeAt: Date
}

/** Lists and revokes the API keys and webhooks of an account. The app supplies it, since other features own the tables. */
export interface AccountPrograms {
	/** Returns the programs made or renewed at `since` or later; all programs when `since` is null. */
	list(sql: Sql, accountId: AccountId, since: Date | null): Promise<ProgramAccess[]>
	revoke(sql: Sql, accountId: AccountId, since: Date | null): Promise<void>
}

const MAX_DETAILS = 1000

/** Returns the names for the audit trail, cut at 1,000 characters. */
export function namesOfPrograms(programs: readonly ProgramAccess[]): string {
	const names = programs.map(({ name }) => name).join(', ')
	return names.length > MAX_DETAILS ? `${names.slice(0, MAX_DETAILS)}…` : names
}
