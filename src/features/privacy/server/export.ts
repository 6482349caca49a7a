import { Readable } from 'node:stream'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { PersonalData } from './parts.ts'
import type { Person } from './person.ts'

interface ExportContext {
	db: Sql
	personalData: PersonalData
}

/** Returns all data of a person as a JSON stream, which is created while it is read. */
export function exportPerson(
	context: ExportContext,
	accountId: AccountId,
	person: Person & { profileName: string | null },
): Readable {
	return Readable.from(pieces(context, accountId, person), { objectMode: false })
}

async function* pieces(
	{ db, personalData: { persons } }: ExportContext,
	accountId: AccountId,
	{ key, names, profileName }: Person & { profileName: string | null },
): AsyncGenerator<string> {
	const head = { number: key, knownAs: names, whatsappName: profileName }
	for (const { describe } of persons) if (describe) Object.assign(head, await describe(db, accountId, names))
	yield JSON.stringify(head, null, '\t').slice(0, -2)
	for (const [property, list] of persons.flatMap(({ lists = {} }) => Object.entries(lists))) {
		yield `,\n\t${JSON.stringify(property)}: [`
		yield* elementsOf(list(db, accountId, names))
		yield ']'
	}
	yield '\n}\n'
}

/** Yields the elements of a JSON array. */
async function* elementsOf(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
	let separator = ''
	for await (const rows of batches) {
		yield separator + rows.map((row) => `\n\t\t${JSON.stringify(row)}`).join(',')
		separator = ','
	}
}
