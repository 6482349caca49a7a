import { Readable } from 'node:stream'
import { listHeldOutOf, listMessagesTo } from '#features/campaigns/server/person/person-queries.ts'
import { listHeld } from '#features/chats/server/person-queries.ts'
import { listOptOutChanges } from '#features/contacts/server/change-queries.ts'
import { listWords } from '#features/contacts/server/opt-out-queries.ts'
import { findContact } from '#features/contacts/server/queries.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { createRest } from '#lib/server/rest.ts'
import type { Held, Person } from './person.ts'

/** Messages read at a time: a file of any length passes through little memory. */
const BATCH_SIZE = 250

/** All that is held of a person, as JSON that is made while it is being sent. */
export function exportPerson(sql: Sql, owner: OwnerId, person: Person & Held): Readable {
	return Readable.from(pieces(sql, owner, person), { objectMode: false })
}

async function* pieces(sql: Sql, owner: OwnerId, person: Person & Held): AsyncGenerator<string> {
	const { names } = person
	const contacts = await Promise.all(person.contactIds.map((id) => findContact(sql, owner, id)))
	const changes = await Promise.all(
		names.map(async (number) => (await listOptOutChanges(sql, owner, number)).map((change) => ({ number, ...change }))),
	)
	const head = {
		number: person.key,
		knownAs: names,
		whatsappName: person.profileName,
		contacts: contacts.flatMap((contact) => contact ?? []),
		optedOut: await listWords(sql, owner, names),
		optOutChanges: changes.flat(),
		keptOutOf: await listHeldOutOf(sql, owner, names),
	}
	yield `${JSON.stringify(head, null, '\t').slice(0, -2)},\n\t"chatMessages": [`
	yield* listed(async (last: { id: number } | undefined) => {
		const rows = await listHeld(sql, owner, { keys: names, after: last?.id ?? 0, limit: BATCH_SIZE })
		return rows.map(({ mediaName, mediaType, mediaState, mediaKey, ...row }) => ({
			...row,
			file: mediaState && {
				name: mediaName,
				type: mediaType,
				state: mediaState,
				link: mediaKey && `/api/chats/media/${row.id}`,
			},
		}))
	})
	yield '],\n\t"campaignMessages": ['
	yield* listed(async (last: { campaignId: number; seq: number } | undefined) => {
		const after = last ?? { campaignId: 0, seq: 0 }
		const rows = await listMessagesTo(sql, owner, { numbers: names, after, limit: BATCH_SIZE })
		return rows.map(({ mergeTags, mergeValues, ...row }) => ({
			...row,
			values: Object.fromEntries(mergeTags.map((tag, at) => [tag, mergeValues?.[at] ?? null])),
		}))
	})
	yield ']\n}\n'
}

/** The elements of an array, read some at a time. */
async function* listed<T extends object>(next: (last: T | undefined) => Promise<T[]>): AsyncGenerator<string> {
	const rest = createRest()
	for (let last: T | undefined; ;) {
		const rows = await next(last)
		const separator = last ? ',' : ''
		if (rows.length > 0) yield separator + rows.map((row) => `\n\t\t${JSON.stringify(row)}`).join(',')
		if (rows.length < BATCH_SIZE) return
		last = rows.at(-1)
		await rest()
	}
}
