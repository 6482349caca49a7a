import { segments } from '#features/audiences/segment-contract.ts'
import { presentContact } from '#features/contacts/server/contacts/present.ts'
import type { Db } from '#lib/server/db.ts'
import { scan } from '#lib/server/db/scan-plans.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { listLatest } from './rule-queries.ts'
import { countSegment } from './segment-count-queries.ts'
import { listSegments, type SavedSegment } from './segment-queries.ts'
import * as service from './segments.ts'

const LATEST = 10
/** Somebody looks at the answer while they edit. */
const LIVE = { timeoutMs: 10_000, tooLong: 'Counting took too long. Try again later, or with fewer rules.' }

export function segmentRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, segments.list, async ({ session }) => ({
		segments: (await listSegments(db, session.ownerId)).map(present),
	}))

	mount(http, segments.count, async ({ body, session: { ownerId }, signal }) => {
		const segment = await service.readRules(db, ownerId, body)
		return { contacts: await scan(db, (sql) => countSegment(sql, ownerId, segment), { ...LIVE, signal }) }
	})

	mount(http, segments.latest, async ({ params, session, signal }) => {
		const { ownerId } = session
		const segment = await service.readRules(db, ownerId, await service.getSegment(db, ownerId, params.id))
		const contacts = await scan(db, (sql) => listLatest(sql, ownerId, { segment, limit: LATEST }), { ...LIVE, signal })
		return { contacts: contacts.map(presentContact) }
	})

	mount(http, segments.create, async ({ body, session }) => ({
		message: 'Segment added successfully',
		segment: present(await service.createSegment(db, session.ownerId, body)),
	}))

	mount(http, segments.update, async ({ params, body, session }) => ({
		message: 'Segment updated successfully',
		segment: present(await service.changeSegment(db, session.ownerId, { ...body, id: params.id })),
	}))

	mount(http, segments.remove, async ({ params, session }) => {
		await service.removeSegment(db, session.ownerId, params.id)
		return { message: 'Segment deleted successfully' }
	})
}

function present({ id, rules, ...segment }: SavedSegment) {
	return { ...segment, _id: id, rules: [...rules] }
}
