import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, RowId } from '#lib/fields.ts'
import { FIELD_TYPES, FieldName, TagName } from './own-fields.ts'

export const TagRow = z.object({ _id: RowId, name: z.string() })
export type TagRow = z.output<typeof TagRow>

export const FieldRow = z.object({ _id: RowId, name: z.string(), type: z.enum(FIELD_TYPES) })
export type FieldRow = z.output<typeof FieldRow>

export const NewField = z.object({ name: FieldName, type: z.enum(FIELD_TYPES, 'Choose what the field holds') })
export const NamedField = z.object({ name: FieldName })
export const NamedTag = z.object({ name: TagName })

const one = { access: 'user', params: z.object({ id: Id }) } as const
const savedField = z.object({ message: z.string(), field: FieldRow })

/** Endpoints of custom fields and tags. Adding an unknown tag to a contact creates the tag. */
export const ownFields = {
	list: endpoint('GET /api/contact-fields', {
		access: 'user',
		response: z.object({ fields: z.array(FieldRow), tags: z.array(TagRow) }),
	}),
	create: endpoint('POST /api/contact-fields', { access: 'user', body: NewField, response: savedField }),
	rename: endpoint('PUT /api/contact-fields/{id}', { ...one, body: NamedField, response: savedField }),
	/** Deletes a field and its values of all contacts. */
	remove: endpoint('DELETE /api/contact-fields/{id}', { ...one, effort: 'heavy', response: Message }),
}

export const contactTags = {
	rename: endpoint('PUT /api/contact-tags/{id}', {
		...one,
		body: NamedTag,
		response: z.object({ message: z.string(), tag: TagRow }),
	}),
	/** Deletes a tag and removes it from all contacts. */
	remove: endpoint('DELETE /api/contact-tags/{id}', { ...one, response: Message }),
}
