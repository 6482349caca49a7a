import type { AccountPrograms, ProgramAccess } from '#features/auth/server/programs.ts'
import { deleteAddressesSince } from '#features/events/server/address-queries.ts'

/** Lists and revokes the API keys and webhooks of an account together. */
export const accountPrograms: AccountPrograms = {
	list: async (sql, accountId, since) => sql<ProgramAccess[]>`
		select 'api-key' as kind, k.name, k.created_at as "madeAt" from api_keys k
		where k.account_id = ${accountId} and (${since}::timestamptz is null or k.created_at >= ${since})
		union all
		select 'webhook', w.url, greatest(w.created_at, w.renewed_at) from webhook_addresses w
		where w.account_id = ${accountId} and (${since}::timestamptz is null or greatest(w.created_at, w.renewed_at) >= ${since})
		order by "madeAt" desc
	`,
	async revoke(sql, accountId, since) {
		await sql`delete from api_keys where account_id = ${accountId} and (${since}::timestamptz is null or created_at >= ${since})`
		await deleteAddressesSince(sql, accountId, since)
	},
}
