import type { contacts } from '#features/contacts/contract.ts'
import type { ResponseIn } from '#lib/endpoint.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { hasTag } from '../fields/value-queries.ts'
import { selectGroups, type Group } from '../groups/group-queries.ts'
import { ORDERS, selectContacts, type Contact } from './queries.ts'

type OptedOut = ResponseIn<typeof contacts.optedOut>['optedOut'][number]

/** Lists contacts with ids above `after`, the oldest first. */
export async function listContactsAfter(
	sql: Sql,
	accountId: AccountId,
	{ after, groupId, tagId, limit }: { after: number; groupId: number | null; tagId: number | null; limit: number },
): Promise<Contact[]> {
	return sql<Contact[]>`
		${selectContacts(sql, accountId)}
		where c.account_id = ${accountId} and c.id > ${after}
			${groupId === null ? sql`` : sql`and c.group_id = ${groupId}`}
			${tagId === null ? sql`` : sql`and ${hasTag(sql, accountId, tagId)}`}
		${ORDERS[groupId === null ? 'added' : 'addedToGroup'].asc}
		limit ${limit}
	`
}

/** Lists the groups with ids above `after`, the oldest first. */
export async function listGroupsAfter(
	sql: Sql,
	accountId: AccountId,
	{ after, limit }: { after: number; limit: number },
): Promise<Group[]> {
	return sql<Group[]>`
		${selectGroups(sql, accountId)} and g.id > ${after}
		order by g.id
		limit ${limit}
	`
}

/** Lists opted-out numbers after `after`, in the order of numbers. */
export async function listOptedOutAfter(
	sql: Sql,
	accountId: AccountId,
	{ after, limit }: { after: string; limit: number },
): Promise<Pick<OptedOut, 'number' | 'since' | 'because'>[]> {
	return sql<Pick<OptedOut, 'number' | 'since' | 'because'>[]>`
		select number, changed_at as since, because from opt_outs
		where account_id = ${accountId} and is_opted_out and number > ${after}
		order by number
		limit ${limit}
	`
}
