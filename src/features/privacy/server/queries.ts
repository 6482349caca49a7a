import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import type { HeldCounts } from '../contract.ts'

export interface NewRequest {
	kind: 'download' | 'erasure'
	hash: string
	userId: number
	counts: HeldCounts
}

export async function insertRequest(sql: Sql, accountId: AccountId, request: NewRequest): Promise<number> {
	const [row] = await sql<{ id: number }[]>`
		insert into privacy_requests (account_id, kind, number_hash, user_id, counts)
		values (${accountId}, ${request.kind}, ${request.hash}, ${request.userId}, ${JSON.stringify(request.counts)})
		returning id
	`
	if (!row) throw new Error('the request was not noted')
	return row.id
}

/** Adds the counts of a later pass to those of an erasure. */
export async function addCounts(
	sql: Sql,
	accountId: AccountId,
	{ id, counts }: { id: number; counts: HeldCounts },
): Promise<void> {
	await sql`
		update privacy_requests r
		set counts = (
			select jsonb_object_agg(old.key, old.value::bigint + coalesce((${JSON.stringify(counts)}::jsonb ->> old.key)::bigint, 0))
			from jsonb_each_text(r.counts) old
		)
		where r.account_id = ${accountId} and r.id = ${id}
	`
}

export async function listRequests(
	sql: Sql,
	accountId: AccountId,
	page: PageQuery,
): Promise<(NewRequest & { id: number; user: string; requestedAt: Date })[]> {
	return sql<(NewRequest & { id: number; user: string; requestedAt: Date })[]>`
		select r.id, r.kind, r.number_hash as hash, r.user_id as "userId", u.name as user, r.counts,
			r.requested_at as "requestedAt"
		from privacy_requests r
		join users u on u.id = r.user_id
		where r.account_id = ${accountId}
		order by r.id desc
		limit ${page.limit} offset ${offsetOf(page)}
	`
}

export async function countRequests(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from privacy_requests where account_id = ${accountId}
	`
	return row?.total ?? 0
}
