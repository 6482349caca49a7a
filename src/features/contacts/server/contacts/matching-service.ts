import { recordWork } from '#features/auth/server/service.ts'
import type { contacts } from '#features/contacts/contract.ts'
import { cleanTags, MAX_TAGS_OF_CONTACT } from '#features/contacts/custom-fields.ts'
import type { MatchingContacts } from '#features/contacts/list-contract.ts'
import { problem } from '#features/contacts/problems.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { plural } from '#lib/numbers.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { listTagIds } from '../fields/field-queries.ts'
import { ensureTags } from '../fields/fields.ts'
import { addTag, removeTag } from '../fields/value-queries.ts'
import { lockGroup } from '../groups/groups.ts'
import { setOptOuts } from '../opt-outs/opt-outs.ts'
import * as changes from './change-queries.ts'
import { readFilter, type ContactFilter } from './contact-filter.ts'
import { findMatching, listMatching, type Matching } from './matching-queries.ts'

/** Contacts changed per transaction. */
const BATCH_SIZE = 2000
const NONE: Matching = { total: 0, upTo: 0 }

type Filter = Omit<MatchingContacts, 'total'>
type Batch = readonly { id: number; number: string }[]

/** Counts exactly the contacts that match a filter. */
export async function countMatching(db: Db, accountId: AccountId, wanted: Filter): Promise<number> {
	return (await findMatches(db, accountId, wanted)).found.total
}

export function moveMatching(
	db: Db,
	accountId: AccountId,
	{ matching, group }: { matching: MatchingContacts; group: string | null },
): Promise<number> {
	const groupId = group === null ? null : Number(group)
	return changeEach(db, accountId, {
		matching,
		async change(sql, batch) {
			await lockGroup(sql, accountId, groupId)
			return changes.moveContacts(sql, accountId, { ids: batch.map(({ id }) => id), groupId })
		},
	})
}

export function deleteMatching(
	db: Db,
	accountId: AccountId,
	{ matching, by }: { matching: MatchingContacts; by: number },
): Promise<number> {
	return changeEach(db, accountId, {
		matching,
		change: (sql, batch) => deleteContacts(sql, accountId, { ids: batch.map(({ id }) => id), by }),
	})
}

/**
 * Deletes contacts in the caller's transaction, and records it for a person, whose id is `by`. Returns the number of deleted
 * contacts.
 */
export async function deleteContacts(
	sql: Sql,
	accountId: AccountId,
	{ ids, by }: { ids: number[]; by?: number | undefined },
): Promise<number> {
	const gone = await changes.deleteContacts(sql, accountId, ids)
	if (by !== undefined && gone > 0)
		await recordWork(sql, accountId, { by, action: 'contacts-deleted', details: plural(gone, 'contact') })
	return gone
}

/**
 * Adds a tag to contacts or removes it: of the given ids, or of all that match. Returns the number of changed contacts,
 * and of contacts with the maximum of tags; throws a 400 for an empty tag.
 */
export async function tagContacts(
	db: Db,
	accountId: AccountId,
	{ ids = [], matching, tag, isAdded }: PartOut<typeof contacts.tag.body>,
): Promise<{ changed: number; full: number }> {
	const [name] = cleanTags([tag])
	if (name === undefined) throw problem('tag_missing')
	const tags = await (isAdded ? ensureTags(db, accountId, { names: [name] }) : listTagIds(db, accountId, [name]))
	const [tagId] = tags.values()
	if (tagId === undefined) return { changed: 0, full: 0 }
	// The key is the first contact of a batch, so that a retried transaction overwrites its own count.
	const full = new Map<number, number>()
	const change = async (sql: Sql, some: number[]) => {
		if (!isAdded) return removeTag(sql, accountId, { ids: some, tagId })
		const added = await addTag(sql, accountId, { ids: some, tagId, max: MAX_TAGS_OF_CONTACT })
		full.set(some[0] ?? 0, added.full)
		return added.tagged
	}
	const changed = matching
		? await changeEach(db, accountId, {
				matching,
				change: (sql, batch) =>
					change(
						sql,
						batch.map(({ id }) => id),
					),
			})
		: await transaction(db, (sql) => change(sql, ids.map(Number)))
	return { changed, full: [...full.values()].reduce((sum, count) => sum + count, 0) }
}

/** Opts all matching contacts out or in by hand, and records it for each batch. Returns the number of changes. */
export async function setMatchingOptedOut(
	db: Db,
	accountId: AccountId,
	{ matching, optedOut, by }: { matching: MatchingContacts; optedOut: boolean; by?: number },
): Promise<number> {
	return changeEach(db, accountId, {
		matching,
		change: (sql, batch) => {
			const numbers = batch.map(({ number }) => number)
			return setOptOuts(sql, accountId, { numbers, optedOut, because: 'manual', by })
		},
	})
}

async function findMatches(
	db: Db,
	accountId: AccountId,
	wanted: Filter,
): Promise<{ filter: ContactFilter | null; found: Matching }> {
	const filter = await readFilter(db, accountId, wanted)
	return { filter, found: filter ? await findMatching(db, accountId, filter) : NONE }
}

/**
 * Changes all matching contacts in batches, each in its own transaction. Throws a 409 before the first batch when the
 * number of matches differs from what the caller has seen. After an interruption the first batches remain changed; a
 * repeated call finds another number and is refused, or finishes the rest.
 */
async function changeEach(
	db: Db,
	accountId: AccountId,
	{ matching, change }: { matching: MatchingContacts; change: (sql: Sql, batch: Batch) => Promise<number> },
): Promise<number> {
	const { filter, found } = await findMatches(db, accountId, matching)
	if (!filter || found.total !== matching.total) throw problem('contacts_changed', { total: found.total })
	let done = 0
	for (let after = 0; ;) {
		const batch = await listMatching(db, accountId, { filter, after, upTo: found.upTo, limit: BATCH_SIZE })
		const last = batch.at(-1)
		if (!last) return done
		done += await retriedTransaction(db, (sql) => change(sql, batch))
		after = last.id
	}
}
