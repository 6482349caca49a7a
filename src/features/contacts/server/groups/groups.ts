import { recordWork } from '#features/auth/server/service.ts'
import { groupNameKey } from '#features/contacts/group-name.ts'
import { plural } from '#lib/numbers.ts'
import { notFound, tooMany } from '#lib/problems.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { lockCounts } from '../count-queries.ts'
import {
	claimGroup,
	countGroups,
	deleteEmptyGroup,
	deleteGroup,
	findGroup,
	insertGroup,
	updateGroup,
	type Group,
	type NewGroup,
} from './group-queries.ts'
import { refuseNamesake } from './namesake-queries.ts'

/**
 * Creates a group in the caller's transaction. Throws a 409 for too many groups or a taken name; the transaction must
 * then roll back.
 */
export async function createGroup(sql: Sql, accountId: AccountId, group: NewGroup): Promise<Group> {
	const created = await insertGroup(sql, accountId, group)
	await checkNewGroup(sql, accountId, created)
	return created
}

export async function checkNewGroup(sql: Sql, accountId: AccountId, group: Pick<Group, 'id' | 'name'>): Promise<void> {
	await lockCounts(sql, accountId)
	await refuseTooManyGroups(sql, accountId)
	await refuseNamesake(sql, accountId, group)
}

/** Maximum groups of an account: the size that lists and selects are made for. */
const MAX_GROUPS = 2000

export async function refuseTooManyGroups(sql: Sql, accountId: AccountId): Promise<void> {
	if ((await countGroups(sql, accountId, '')) > MAX_GROUPS) throw tooMany(plural(MAX_GROUPS, 'contact group'))
}

export function changeGroup(db: Db, accountId: AccountId, { id, ...group }: NewGroup & { id: string }): Promise<Group> {
	return transaction(db, async (sql) => {
		const before = await getGroup(sql, accountId, id)
		if (!(await updateGroup(sql, accountId, { ...group, id }))) throw notFound('Contact group')
		await lockCounts(sql, accountId)
		if (groupNameKey(before.name) !== groupNameKey(group.name)) await refuseNamesake(sql, accountId, { ...group, id })
		return getGroup(sql, accountId, id)
	})
}

/**
 * Deletes a group, whose contacts remain without a group, and records it for a person whose id is `by`; existing campaigns keep
 * their audience. Throws a 404 for an unknown group.
 */
export function removeGroup(
	db: Db,
	accountId: AccountId,
	{ id, by }: { id: string; by?: number | undefined },
): Promise<void> {
	return transaction(db, async (sql) => {
		const name = await deleteGroup(sql, accountId, id)
		if (name === undefined) throw notFound('Contact group')
		await deleteEmptyGroup(sql, accountId, id)
		if (by !== undefined) await recordWork(sql, accountId, { by, action: 'group-deleted', details: name })
	})
}

/** Locks a group against deletion until the transaction ends; null is no group. Throws a 404 for an unknown group. */
export async function lockGroup(sql: Sql, accountId: AccountId, id: number | null): Promise<void> {
	if (id !== null && !(await claimGroup(sql, accountId, id))) throw notFound('Contact group')
}

export async function getGroup(sql: Sql, accountId: AccountId, id: string): Promise<Group> {
	const group = await findGroup(sql, accountId, id)
	if (!group) throw notFound('Contact group')
	return group
}
