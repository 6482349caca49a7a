import { transaction, type Db } from '#lib/server/db.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { contacts } from '../contract.ts'
import { contactGroups } from '../group-contract.ts'
import { cleanName } from '../rules.ts'
import { countGroups, listGroups, type Group, type NewGroup } from './groups/group-queries.ts'
import { changeGroup, createGroup, removeGroup } from './groups/groups.ts'

export function groupRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, contacts.groups, async ({ query, session }) => {
		const counting = countGroups(db, session.accountId, query.search)
		const { rows, ...place } = await readPage(query, listGroups(db, session.accountId, query), counting)
		return { contactGroups: rows.map(presentGroup), ...place }
	})

	mount(http, contactGroups.create, async ({ body, session }) => {
		const group = await transaction(db, (sql) => createGroup(sql, session.accountId, clean(body)))
		return { message: 'Contact group added successfully', contactGroup: presentGroup(group) }
	})

	mount(http, contactGroups.update, async ({ params, body, session }) => {
		const group = await changeGroup(db, session.accountId, { ...clean(body), id: params.id })
		return { message: 'Contact group updated successfully', contactGroup: presentGroup(group) }
	})

	mount(http, contactGroups.remove, async ({ params, session }) => {
		await removeGroup(db, session.accountId, { id: params.id, by: session.userId })
		return { message: 'Contact group deleted successfully' }
	})
}

function clean({
	name,
	type,
	description,
}: Omit<NewGroup, 'description'> & { description?: string | undefined }): NewGroup {
	const text = description?.toWellFormed().replaceAll('\0', '').normalize('NFC')
	return { name: cleanName(name), type, description: text || null }
}

function presentGroup({ id, ...group }: Group) {
	return { ...group, _id: id }
}
