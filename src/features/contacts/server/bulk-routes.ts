import { createReadStream } from 'node:fs'
import { recordWork } from '#features/auth/server/service.ts'
import { problem } from '#features/contacts/problems.ts'
import { CSV_START, csvLine } from '#lib/files/csv.ts'
import { formatCount } from '#lib/numbers.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'
import { spreadsheetToCsv } from '#lib/server/files/spreadsheet/spreadsheet.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { isolate } from '#lib/text/bidi.ts'
import { HIDDEN_HEADER } from '../columns.ts'
import { contacts } from '../contract.ts'
import type { TypedPerson } from '../people-file.ts'
import { NAME_AND_NUMBER_MISSING } from '../rules.ts'
import { readFilter } from './contacts/contact-filter.ts'
import { exportContacts } from './contacts/export.ts'
import { listKnownNumbers } from './contacts/queries.ts'
import { addMany } from './import/import.ts'
import type { ContactContext } from './service.ts'

const SAMPLE = [
	['firstName', 'lastName', 'number'],
	['Asha', 'Rao', '919876543210'],
	['Rahul', '', '9812345678'],
	['अमिता', 'शर्मा', '+91 90000 12345'],
]

/** Routes that add, export and change many contacts. */
export function bulkRoutes(http: Http, context: ContactContext): void {
	const { db } = context

	mount(http, contacts.addMany, async ({ body, session }) => {
		const { contacts: rows, group = null, consent = null, ...rest } = body
		const result = await addMany(context, session.accountId, { ...rest, rows, group, consent, by: session.userId })
		const incomplete = result.rejected.filter(({ reason }) => reason === NAME_AND_NUMBER_MISSING)
		if (incomplete.length === body.contacts.length) throw problem('contacts_missing')
		return {
			...result,
			message: `${formatCount(result.savedContacts)} contacts uploaded successfully`,
			errors: [...result.rejected, ...result.leftOut]
				.toSorted((a, b) => a.index - b.index)
				.map(({ index, reason }) => `${isolate(nameOf(body.contacts[index]))}: ${reason}`),
		}
	})

	mount(http, contacts.known, async ({ body, session }) => {
		const numbers = body.numbers.map((typed) => readNumber(typed))
		const known = new Set(await listKnownNumbers(db, session.accountId, numbers))
		return { known: [...numbers.keys()].filter((at) => known.has(numbers[at] ?? '')) }
	})

	mount(http, contacts.readSpreadsheet, async ({ body, files }) => {
		const { csv, hidden } = await spreadsheetToCsv(files.file?.path, { withHidden: body.withHidden === 'true' })
		const headers = { [HIDDEN_HEADER]: `${hidden.rows},${hidden.columns}` }
		return { filename: 'contacts.csv', headers, content: createReadStream(csv) }
	})

	mount(http, contacts.sampleCsv, async () => ({
		filename: 'sample_contacts.csv',
		content: Buffer.from(CSV_START + SAMPLE.map(csvLine).join('')),
	}))

	mount(http, contacts.exportCsv, async ({ query, session }) => {
		const filter = await readFilter(db, session.accountId, query)
		await recordWork(db, session.accountId, { by: session.userId, action: 'contacts-exported' })
		return { filename: 'contacts.csv', content: exportContacts(db, session.accountId, filter) }
	})
}

function nameOf(row: TypedPerson | undefined): string {
	return (row?.number.trim() || row?.firstName.trim() || 'A row without name and number').slice(0, 60)
}
