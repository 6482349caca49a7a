import type { AccountId, Sql } from '#lib/server/db.ts'

export interface ProgramAccess {
	kind: 'api-key' | 'webhook'
	/** Of a key its name, of a webhook its URL. */
	name: string
	madeAt: Date
}

/** Lists and revokes the API keys and webhooks of an account, of which other features hold the tables. Composed by the app. */
export interface AccountPrograms {
	/** Returns those made or renewed at this time or later; all of them for null. */
	list(sql: Sql, accountId: AccountId, since: Date | null): Promise<ProgramAccess[]>
	revoke(sql: Sql, accountId: AccountId, since: Date | null): Promise<void>
}

const MAX_DETAILS = 1000

/** Returns the names for the audit trail, cut at 1,000 characters. */
export function namesOfPrograms(programs: readonly ProgramAccess[]): string {
	const names = programs.map(({ name }) => name).join(', ')
	return names.length > MAX_DETAILS ? `${names.slice(0, MAX_DETAILS)}…` : names
}
