import { readNumber } from '#features/contacts/numbers.ts'
import { cleanName, NAME_AND_NUMBER_MISSING, NUMBER_INVALID } from '#features/contacts/rules.ts'
import { listGroups } from '#features/contacts/server/group-queries.ts'
import { listOptedOut } from '#features/contacts/server/opt-out-queries.ts'
import { listAfter, type NewContact } from '#features/contacts/server/queries.ts'
import * as service from '#features/contacts/server/service.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { retryDeadlocks } from '#lib/server/deadlocks.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { invalid, type Fault } from '../faults.ts'
import { numberedPage, pageOf } from './paging.ts'

export function contactRoutes(http: Http, context: service.ContactContext): void {
	const { db } = context

	mount(http, v1.contacts, async ({ query: { cursor, limit, group }, session: { ownerId } }) => {
		const groupId = group === undefined ? null : (await service.getGroup(db, ownerId, group)).id
		const rows = await listAfter(db, ownerId, { after: Number(cursor ?? 0), groupId, limit: limit + 1 })
		return pageOf(rows, { limit, cursorOf: ({ id }) => id, present: (contact) => contact })
	})

	mount(http, v1.upsertContacts, async ({ body, session: { ownerId } }) => {
		const { group, consent = null } = body
		const groupId = group === undefined ? null : Number(group)
		const contacts = readContacts(body.contacts, groupId)
		const { added } = await retryDeadlocks((isRetry) =>
			service.insertIntoGroup(context, ownerId, { contacts, groupId, consent, existing: 'replace', isRetry }),
		)
		return { added, updated: contacts.length - added }
	})

	mount(http, v1.deleteContact, async ({ params, session: { ownerId } }) => {
		await service.deleteContact(db, ownerId, params.id)
		return params
	})

	groupRoutes(http, context)
	optOutRoutes(http, context)
}

function groupRoutes(http: Http, { db }: service.ContactContext): void {
	mount(http, v1.groups, async ({ query, session: { ownerId } }) =>
		numberedPage(query, (page) => listGroups(db, ownerId, { ...page, search: '', sort: 'createdAt', order: 'asc' })),
	)

	mount(http, v1.createGroup, async ({ body: { name, type, description = null }, session: { ownerId } }) =>
		service.createGroup(db, ownerId, { name: cleanName(name), type, description }),
	)

	mount(http, v1.deleteGroup, async ({ params, session: { ownerId } }) => {
		await service.removeGroup(db, ownerId, params.id)
		return params
	})
}

function optOutRoutes(http: Http, { db }: service.ContactContext): void {
	mount(http, v1.optOuts, async ({ query, session: { ownerId } }) =>
		numberedPage(query, (page) => listOptedOut(db, ownerId, { ...page, search: '' })),
	)

	mount(http, v1.setOptOuts, async ({ body: { numbers, optedOut }, session: { ownerId } }) => {
		const faults = numbers.flatMap((number, index) => faultOf(`/numbers/${index}`, number))
		if (faults.length > 0) throw invalid(faults)
		const { changed } = await service.setManyOptedOut(db, ownerId, { numbers, ids: [], optedOut })
		return { changed }
	})
}

function faultOf(path: string, number: string): Fault[] {
	return readNumber(number) === null ? [{ path, detail: NUMBER_INVALID }] : []
}

type Typed = PartOut<typeof v1.upsertContacts.body>['contacts'][number]

function readContacts(typed: readonly Typed[], groupId: number | null): NewContact[] {
	const places = new Map<string, number>()
	const read = typed.map((one, index) => {
		const place = `/contacts/${index}`
		const number = readNumber(one.number)
		const firstName = cleanName(one.firstName)
		const faults = faultOf(`${place}/number`, one.number)
		if (!firstName) faults.push({ path: `${place}/firstName`, detail: NAME_AND_NUMBER_MISSING })
		const earlier = number === null ? undefined : places.get(number)
		if (earlier !== undefined)
			faults.push({ path: `${place}/number`, detail: `The same number as of contacts/${earlier}` })
		else if (number !== null) places.set(number, index)
		return {
			faults,
			contact: { firstName, lastName: cleanName(one.lastName ?? '') || null, number: number ?? '', groupId },
		}
	})
	const faults = read.flatMap((one) => one.faults)
	if (faults.length > 0) throw invalid(faults)
	return read.map(({ contact }) => contact)
}
