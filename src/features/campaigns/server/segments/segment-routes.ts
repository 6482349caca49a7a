import { segments } from '#features/campaigns/segment-contract.ts'
import { presentContact } from '#features/contacts/server/present.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { countSegment, listLatest } from './rule-queries.ts'
import { listSegments, type SavedSegment } from './segment-queries.ts'
import * as service from './segments.ts'

const LATEST = 10

export function segmentRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, segments.list, async ({ session }) => ({
		segments: (await listSegments(db, session.ownerId)).map(present),
	}))

	mount(http, segments.count, async ({ body, session }) => ({
		contacts: await countSegment(db, session.ownerId, await service.readRules(db, session.ownerId, body)),
	}))

	mount(http, segments.latest, async ({ params, session }) => {
		const { ownerId } = session
		const segment = await service.readRules(db, ownerId, await service.getSegment(db, ownerId, params.id))
		const contacts = await listLatest(db, ownerId, { segment, limit: LATEST })
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
