import { problem } from '#features/audiences/problems.ts'
import { segments } from '#features/audiences/segment-contract.ts'
import { presentContact } from '#features/contacts/server/service.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import { scan } from '#lib/server/db/scan-plans.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { listLatest } from './rule-queries.ts'
import { countSegment } from './segment-count-queries.ts'
import { listSegments, type SavedSegment } from './segment-queries.ts'
import * as service from './segments.ts'

const LATEST = 10
/** Timeout and refusal of the two queries for which a user waits: the count and the latest contacts. */
const LIVE = { timeoutMs: 10_000, tooLong: () => problem('segment_too_slow') }

export function segmentRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, segments.list, async ({ session }) => ({
		segments: (await listSegments(db, session.accountId)).map(present),
	}))

	mount(http, segments.count, async ({ body, session: { accountId }, signal }) => {
		const segment = await service.readRules(db, accountId, body)
		return { contacts: await scan(db, (sql) => countSegment(sql, accountId, segment), { ...LIVE, signal }) }
	})

	mount(http, segments.latest, async ({ params, session, signal }) => {
		const { accountId } = session
		const segment = await service.readRules(db, accountId, await service.getSegment(db, accountId, params.id))
		const contacts = await scan(db, (sql) => listLatest(sql, accountId, { segment, limit: LATEST }), {
			...LIVE,
			signal,
		})
		return { contacts: contacts.map(presentContact) }
	})

	mount(http, segments.create, async ({ body, session }) => ({
		message: 'Segment added successfully',
		segment: present(
			await transaction(db, (sql) => service.createSegment(sql, session.accountId, { ...body, by: session.userId })),
		),
	}))

	mount(http, segments.update, async ({ params, body, session }) => ({
		message: 'Segment updated successfully',
		segment: present(
			await transaction(db, (sql) =>
				service.changeSegment(sql, session.accountId, { ...body, id: params.id, by: session.userId }),
			),
		),
	}))

	mount(http, segments.remove, async ({ params, session }) => {
		await transaction(db, (sql) => service.removeSegment(sql, session.accountId, { id: params.id, by: session.userId }))
		return { message: 'Segment deleted successfully' }
	})
}

function present({ id, rules, ...segment }: SavedSegment) {
	return { ...segment, _id: id, rules: [...rules] }
}
