import { notFound } from '#lib/problems.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { contactTags, customFields, MAX_KNOWN_VALUES, SAMPLED_CONTACTS } from '../custom-fields.ts'
import { listFields, listTags } from './fields/field-queries.ts'
import * as definitions from './fields/fields.ts'
import { listKnownValues } from './fields/value-queries.ts'

/** Routes of custom fields and tags. */
export function customFieldRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, customFields.list, async ({ session: { accountId } }) => ({
		fields: (await listFields(db, accountId)).map(present),
		tags: (await listTags(db, accountId)).map(present),
	}))

	mount(http, customFields.create, async ({ body, session: { accountId } }) => {
		const field = await definitions.createField(db, accountId, body)
		return { message: 'Field added successfully', field: present(field) }
	})

	mount(http, customFields.values, async ({ params, session: { accountId } }) => {
		const field = (await listFields(db, accountId)).find(({ id }) => String(id) === params.id)
		if (!field) throw notFound('Field')
		return listKnownValues(db, accountId, { field, sampled: SAMPLED_CONTACTS, limit: MAX_KNOWN_VALUES })
	})

	mount(http, customFields.rename, async ({ params, body, session: { accountId } }) => {
		const field = await definitions.renameField(db, accountId, { ...body, id: params.id })
		return { message: 'Field renamed successfully', field: present(field) }
	})

	mount(http, customFields.remove, async ({ params, session: { accountId } }) => {
		await definitions.removeField(db, accountId, params.id)
		return { message: 'Field deleted successfully' }
	})

	mount(http, contactTags.rename, async ({ params, body, session: { accountId } }) => {
		const tag = await definitions.renameTag(db, accountId, { ...body, id: params.id })
		return { message: 'Tag renamed successfully', tag: present(tag) }
	})

	mount(http, contactTags.remove, async ({ params, session: { accountId } }) => {
		await definitions.removeTag(db, accountId, params.id)
		return { message: 'Tag deleted successfully' }
	})
}

function present<T extends { id: number }>({ id, ...rest }: T) {
	return { ...rest, _id: id }
}
