import { Readable } from 'node:stream'
import { formatDateTime } from '#lib/dates.ts'
import { CSV_START, numberCell, safeCsvLine } from '#lib/files/csv.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import { listFields } from '../fields/field-queries.ts'
import type { ContactFilter } from './contact-filter.ts'
import type { Contact } from './queries.ts'
import { listAfter } from './search-queries.ts'

const PERSON_COLUMNS = ['firstName', 'lastName', 'number', 'group', 'optedOut', 'addedOn']
const CONSENT_COLUMNS = ['consentSource', 'consentWords', 'consentOn']

/**
 * Streams the contacts as CSV, oldest first; only the header when `filter` is null. The file can be uploaded again with
 * names, numbers, opt-outs, tags and field values.
 */
export function exportContacts(sql: Sql, accountId: AccountId, filter: ContactFilter | null): Readable {
	return Readable.from(pieces(sql, accountId, filter), { objectMode: false })
}

async function* pieces(sql: Sql, accountId: AccountId, filter: ContactFilter | null): AsyncGenerator<string> {
	const fields = await listFields(sql, accountId)
	const own = ['tags', ...fields.map(({ name }) => name)]
	yield CSV_START + safeCsvLine([...PERSON_COLUMNS, ...CONSENT_COLUMNS, ...own])
	if (!filter) return
	const next = (last: Contact | undefined, limit: number) =>
		listAfter(sql, accountId, { after: last?.id ?? 0, limit, filter })
	for await (const rows of inBatches(next)) {
		yield rows
			.map((row) =>
				safeCsvLine([
					row.firstName,
					row.lastName,
					numberCell(row.number),
					row.groupName,
					row.isOptedOut ? 'yes' : 'no',
					formatDateTime(row.createdAt.toISOString()),
					row.consent?.source ?? null,
					row.consent?.words ?? null,
					row.consent?.agreedOn ?? null,
					row.tags.join(', '),
					...fields.map(({ name }) => row.fields[name] ?? null),
				]),
			)
			.join('')
	}
}
