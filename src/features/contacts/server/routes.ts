import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { pagesFor } from '#lib/server/paging.ts'
import { contacts, type ContactRow, type GroupRow } from '../contract.ts'
import { countGroups, listGroups } from './group-queries.ts'
import { readNumberPart } from './numbers.ts'
import * as queries from './queries.ts'
import { createContact, type Contact, type Group } from './service.ts'

export function contactRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, contacts.list, async ({ query, session }) => {
		const { page, limit, search, group } = query
		const filter = { search, numberPart: readNumberPart(search), groupId: group ? Number(group) : null }
		const [rows, total] = await Promise.all([
			queries.listContacts(db, session.ownerId, { ...filter, page, limit }),
			queries.countContacts(db, session.ownerId, filter),
		])
		return { contacts: rows.map(present), page, pages: pagesFor(total, limit), total }
	})

	mount(http, contacts.create, async ({ body, session }) => {
		const contact = await createContact(db, session.ownerId, body)
		return { message: 'Contact added successfully', contact: present(contact) }
	})

	mount(http, contacts.groups, async ({ query, session }) => {
		const [rows, total] = await Promise.all([
			listGroups(db, session.ownerId, query),
			countGroups(db, session.ownerId, query.search),
		])
		return { contactGroups: rows.map(presentGroup), page: query.page, pages: pagesFor(total, query.limit) }
	})
}

function present(row: Contact): ContactRow {
	return {
		_id: String(row.id),
		firstName: row.firstName,
		lastName: row.lastName,
		number: row.number,
		group: row.groupId === null ? null : { _id: String(row.groupId), name: row.groupName ?? '' },
		optedOut: row.isOptedOut,
		createdAt: row.createdAt.toISOString(),
	}
}

function presentGroup({ id, createdAt, ...group }: Group): GroupRow {
	return { ...group, _id: String(id), createdAt: createdAt.toISOString() }
}
