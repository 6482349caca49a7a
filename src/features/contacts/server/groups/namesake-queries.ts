import { groupNameKey } from '#features/contacts/group-name.ts'
import { problem } from '#features/contacts/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/**
 * Throws a 409 when another group of the account has this name, ignoring case and spaces. The transaction must hold the
 * lock of the counts, so that no other group is created meanwhile.
 */
export async function refuseNamesake(
	sql: Sql,
	accountId: AccountId,
	{ id, name }: { id: number | string; name: string },
): Promise<void> {
	const found = await sql`
		select 1 from contact_groups g
		where g.account_id = ${accountId} and g.deleted_at is null and g.id <> ${id}
			and lower(btrim(regexp_replace(normalize(g.name, NFKC), '\\s+', ' ', 'g'))) = ${groupNameKey(name)}
		limit 1
	`
	if (found.length > 0) throw problem('group_taken')
}
