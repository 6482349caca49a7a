import * as z from 'zod/mini'
import { ContactRow } from '#features/contacts/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, RowId, Time } from '#lib/fields.ts'
import { Rules, SegmentBody } from './rules.ts'

export const SegmentRow = z.object({ _id: RowId, name: z.string(), ...Rules, createdAt: Time })
export type SegmentRow = z.output<typeof SegmentRow>

const one = { access: 'user', params: z.object({ id: Id }) } as const
const saved = z.object({ message: z.string(), segment: SegmentRow })

/** Endpoints of segments: contacts chosen by rules, which are evaluated each time a campaign is created. */
export const segments = {
	list: endpoint('GET /api/segments', { access: 'user', response: z.object({ segments: z.array(SegmentRow) }) }),
	/** Returns the number of contacts that match the rules now. The rules need not be saved. */
	count: endpoint('POST /api/segments/count', {
		effort: 'heavy',
		access: 'user',
		body: z.object(Rules),
		response: z.object({ contacts: z.int() }),
	}),
	/** Returns the ten latest contacts of the segment. */
	latest: endpoint('GET /api/segments/{id}/latest', {
		...one,
		effort: 'heavy',
		response: z.object({ contacts: z.array(ContactRow) }),
	}),
	create: endpoint('POST /api/segments', { access: 'user', body: SegmentBody, response: saved }),
	update: endpoint('PUT /api/segments/{id}', { ...one, body: SegmentBody, response: saved }),
	/** Deletes a segment. Its contacts and campaigns remain. */
	remove: endpoint('DELETE /api/segments/{id}', { ...one, response: Message }),
}
