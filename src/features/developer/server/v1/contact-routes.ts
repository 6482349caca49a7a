import { cleanName } from '#features/contacts/rules.ts'
import {
	listContactsAfter,
	listGroupsAfter,
	listOptedOutAfter,
} from '#features/contacts/server/contacts/cursor-queries.ts'
import { listFields, listTagIds } from '#features/contacts/server/fields/field-queries.ts'
import { createGroup, getGroup, removeGroup } from '#features/contacts/server/groups/groups.ts'
import * as service from '#features/contacts/server/service.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { notFound } from '#lib/problems.ts'
import { retryDeadlocks } from '#lib/server/db/deadlocks.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { readContacts } from '../campaigns/read-people.ts'
import { runIdempotent, readIdempotentRequest } from '../orders/idempotency.ts'
import { pageOf } from '../paging.ts'

export function contactRoutes(http: Http, context: service.ContactContext): void {
	const { db, env } = context

	mount(http, v1.contacts, async ({ query: { cursor, limit, group, tag }, session: { accountId } }) => {
		const groupId = group === undefined ? null : (await getGroup(db, accountId, group)).id
		const tagId = tag === undefined ? null : (await listTagIds(db, accountId, [tag])).get(tag.toLowerCase())
		if (tagId === undefined) throw notFound('Tag')
		const rows = await listContactsAfter(db, accountId, {
			after: Number(cursor ?? 0),
			groupId,
			tagId,
			limit: limit + 1,
		})
		return pageOf(rows, { limit, cursorOf: ({ id }) => id, present: (contact) => contact })
	})

	mount(http, v1.upsertContacts, async ({ body, session: { accountId }, request }) => {
		const { group, consent = null } = body
		const groupId = group === undefined ? null : Number(group)
		const given = { groupId, consent, existing: 'replace', max: env.ACCOUNT_CONTACTS } as const
		return retryDeadlocks((isRetry) =>
			runIdempotent(db, accountId, {
				asked: readIdempotentRequest(request, body),
				prepare: async () => readContacts(body.contacts, { groupId, fields: await listFields(db, accountId) }),
				async work(sql, contacts) {
					const { added } = await service.insertIntoGroup(sql, accountId, { ...given, contacts, isRetry })
					return { added, updated: contacts.length - added }
				},
			}),
		)
	})

	mount(http, v1.deleteContact, async ({ params, session: { accountId } }) => {
		await service.deleteContact(db, accountId, params)
		return params
	})

	groupRoutes(http, context)
	optOutRoutes(http, context)
}

function groupRoutes(http: Http, { db }: service.ContactContext): void {
	mount(http, v1.groups, async ({ query: { cursor, limit }, session: { accountId } }) => {
		const rows = await listGroupsAfter(db, accountId, { after: Number(cursor ?? 0), limit: limit + 1 })
		return pageOf(rows, { limit, cursorOf: ({ id }) => id, present: (group) => group })
	})

	mount(http, v1.createGroup, async ({ body, session: { accountId }, request }) => {
		const { name, type, description = null } = body
		const group = { name: cleanName(name), type, description }
		return runIdempotent(db, accountId, {
			asked: readIdempotentRequest(request, body),
			work: (sql) => createGroup(sql, accountId, group),
		})
	})

	mount(http, v1.deleteGroup, async ({ params, session: { accountId } }) => {
		await removeGroup(db, accountId, params)
		return params
	})
}

function optOutRoutes(http: Http, { db }: service.ContactContext): void {
	mount(http, v1.optOuts, async ({ query: { cursor = '', limit }, session: { accountId } }) => {
		const rows = await listOptedOutAfter(db, accountId, { after: cursor, limit: limit + 1 })
		return pageOf(rows, { limit, cursorOf: ({ number }) => number, present: (optOut) => optOut })
	})

	mount(http, v1.setOptOuts, async ({ body, session: { accountId }, request }) => {
		const { numbers, optedOut } = body
		return runIdempotent(db, accountId, {
			asked: readIdempotentRequest(request, body),
			work: (sql) => service.setManyOptedOut(sql, accountId, { numbers, ids: [], optedOut }),
		})
	})
}
