import { Readable } from 'node:stream'
import { listControlGroupsOf, listMessagesTo } from '#features/campaigns/server/person/person-queries.ts'
import { listHeld } from '#features/chats/server/person-queries.ts'
import { listOptOutChanges } from '#features/contacts/server/contacts/change-queries.ts'
import { findContact } from '#features/contacts/server/contacts/queries.ts'
import { listStatements } from '#features/contacts/server/opt-outs/opt-out-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import type { Held, Person } from './person.ts'

/** Returns all data of a person as a JSON stream, which is created while it is read. */
export function exportPerson(sql: Sql, accountId: AccountId, person: Person & Held): Readable {
	return Readable.from(pieces(sql, accountId, person), { objectMode: false })
}

async function* pieces(sql: Sql, accountId: AccountId, person: Person & Held): AsyncGenerator<string> {
	const { names } = person
	const contacts = await Promise.all(person.contactIds.map((id) => findContact(sql, accountId, id)))
	const changes = await Promise.all(
		names.map(async (number) =>
			(await listOptOutChanges(sql, accountId, number)).map((change) => ({ number, ...change })),
		),
	)
	const head = {
		number: person.key,
		knownAs: names,
		whatsappName: person.profileName,
		contacts: contacts.flatMap((contact) => contact ?? []),
		optedOut: await listStatements(sql, accountId, names),
		optOutChanges: changes.flat(),
		keptOutOf: await listControlGroupsOf(sql, accountId, names),
	}
	yield `${JSON.stringify(head, null, '\t').slice(0, -2)},\n\t"chatMessages": [`
	yield* listed(async (last: { id: number } | undefined, limit) => {
		const rows = await listHeld(sql, accountId, { keys: names, after: last?.id ?? 0, limit })
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
	yield* listed(async (last: { campaignId: number; seq: number } | undefined, limit) => {
		const after = last ?? { campaignId: 0, seq: 0 }
		const rows = await listMessagesTo(sql, accountId, { numbers: names, after, limit })
		return rows.map(({ mergeTags, mergeValues, ...row }) => ({
			...row,
			values: Object.fromEntries(mergeTags.map((tag, at) => [tag, mergeValues?.[at] ?? null])),
		}))
	})
	yield ']\n}\n'
}

/** Yields the elements of a JSON array, read in batches. */
async function* listed<T extends object>(...[next]: Parameters<typeof inBatches<T>>): AsyncGenerator<string> {
	let separator = ''
	for await (const rows of inBatches(next)) {
		yield separator + rows.map((row) => `\n\t\t${JSON.stringify(row)}`).join(',')
		separator = ','
	}
}
