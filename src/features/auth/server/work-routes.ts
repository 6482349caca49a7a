import { Readable } from 'node:stream'
import { formatStamp, indianDay } from '#lib/dates.ts'
import { CSV_START, safeCsvLine } from '#lib/files/csv.ts'
import type { AccountId, Db } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { WORK_TEXTS } from '../rules.ts'
import { work } from '../work-contract.ts'
import { listAllPeople } from './people-queries.ts'
import { recordWork } from './service.ts'
import { countWork, listWork, listWorkAfter, type WorkFilter, type WorkRow } from './work-queries.ts'

export function workRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, work.list, async ({ query, session: { accountId } }) => {
		const [{ rows, ...place }, people] = await Promise.all([
			readPage(query, listWork(db, accountId, query), countWork(db, accountId, query)),
			listAllPeople(db, accountId),
		])
		const actions = rows.map(({ source, id, ...row }) => ({ ...row, _id: `${source} ${id}` }))
		return { actions, people: people.map(({ id, name }) => ({ _id: id, name })), ...place }
	})

	mount(http, work.exportCsv, async ({ query, session: { accountId, userId } }) => {
		await recordWork(db, accountId, { by: userId, action: 'activity-exported' })
		const content = Readable.from(linesOf(db, accountId, query), { objectMode: false })
		return { filename: `activity_${indianDay(Date.now())}.csv`, content }
	})
}

async function* linesOf(db: Db, accountId: AccountId, filter: WorkFilter): AsyncGenerator<string> {
	yield CSV_START + safeCsvLine(['When', 'Who', 'What', 'Colleague', 'Details'])
	const next = (last: WorkRow | undefined, limit: number) =>
		listWorkAfter(db, accountId, { filter, after: last, limit })
	for await (const rows of inBatches(next)) {
		yield rows
			.map(({ createdAt, person, action, colleague, details }) =>
				safeCsvLine([formatStamp(createdAt.toISOString()), person, WORK_TEXTS[action] ?? action, colleague, details]),
			)
			.join('')
	}
}
