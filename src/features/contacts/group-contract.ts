import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, OptionalText, Required, RowId, Time } from '#lib/fields.ts'

const GROUP_TYPES = ['national', 'international'] as const

export const GroupRow = z.object({
	_id: RowId,
	name: z.string(),
	type: z.enum(GROUP_TYPES),
	description: z.nullable(z.string()),
	/** Number of contacts in the group. */
	contacts: z.int(),
	createdAt: Time,
})
export type GroupRow = z.output<typeof GroupRow>

export const GroupBody = z.object({
	name: Required('Name and type are required', 100),
	type: z.enum(GROUP_TYPES, 'Name and type are required'),
	description: OptionalText(500),
})

const one = z.object({ id: Id })
const savedGroup = z.object({ message: z.string(), contactGroup: GroupRow })

export const contactGroups = {
	create: endpoint('POST /api/contact-groups', { access: 'manager', body: GroupBody, response: savedGroup }),
	update: endpoint('PUT /api/contact-groups/{id}', {
		access: 'manager',
		params: one,
		body: GroupBody,
		response: savedGroup,
	}),
	/** Deletes a group. Its contacts remain without a group. */
	remove: endpoint('DELETE /api/contact-groups/{id}', { access: 'manager', params: one, response: Message }),
}
