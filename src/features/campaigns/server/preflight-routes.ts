import { Readable } from 'node:stream'
import { typedNumberCell } from '#features/contacts/people-file.ts'
import { CSV_START, safeCsvLine } from '#lib/files/csv.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { isolate } from '#lib/text/bidi.ts'
import { campaignPreflight } from '../preflight-contract.ts'
import { sendTest } from './creation/single-message.ts'
import * as estimates from './estimate-service.ts'
import { presentCampaign } from './present.ts'
import { getCampaign } from './service.ts'

/** Mounts the calls before a campaign is created: estimates, file preview and test messages. */
export function preflightRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, campaignPreflight.estimate, ({ body, session, signal }) =>
		estimates.estimateContacts(db, session.accountId, { ...body, signal }),
	)

	mount(http, campaignPreflight.audienceFile, async ({ body, files, session }) => {
		const estimate = await estimates.estimateFile(db, session.accountId, { ...body, upload: files['file'] })
		return { message: `File "${isolate(files['file']?.filename ?? '')}" uploaded successfully`, ...estimate }
	})

	mount(http, campaignPreflight.rejectedRows, async ({ body, files, session }) => {
		const rejected = await estimates.listRejected(db, session.accountId, { ...body, upload: files['file'] })
		// The lines are built before answering: the uploaded file is removed once the call is answered.
		const lines = [CSV_START, safeCsvLine([...rejected.header, 'row', 'reason'])]
		const cellsOf = (cells: readonly string[]) =>
			cells.map((cell, at) => (at === rejected.numberAt ? typedNumberCell(cell) : cell))
		for await (const rows of rejected.rows)
			lines.push(rows.map(({ row, cells, reason }) => safeCsvLine([...cellsOf(cells), row, reason])).join(''))
		return { filename: 'rejected-rows.csv', content: Readable.from(lines, { objectMode: false }) }
	})

	mount(http, campaignPreflight.sendTest, async ({ body, session }) => {
		const id = await sendTest(db, session.accountId, { ...body, by: session.userId })
		const campaign = await getCampaign(db, session.accountId, String(id))
		return { message: 'Test message sent', campaign: presentCampaign(campaign) }
	})
}
