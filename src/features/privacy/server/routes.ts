import { listErased } from '#features/contacts/server/erased.ts'
import { listWords } from '#features/contacts/server/opt-out-queries.ts'
import { findContact } from '#features/contacts/server/queries.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { readPage } from '#lib/server/paging.ts'
import { privacy } from '../contract.ts'
import { exportPerson } from './export.ts'
import { findHeld, findPerson } from './person.ts'
import { countRequests, listRequests } from './queries.ts'
import { erasePerson, noteRequest, type PrivacyContext } from './service.ts'

export function privacyRoutes(http: Http, context: PrivacyContext): void {
	const { db } = context

	mount(http, privacy.person, async ({ query, session: { ownerId: owner } }) => {
		const person = await findPerson(db, owner, query.number)
		const { counts, profileName, contactIds } = await findHeld(db, owner, person)
		const [contactId] = contactIds
		const contact = contactId === undefined ? undefined : await findContact(db, owner, contactId)
		const name = contact ? [contact.firstName, contact.lastName].filter(Boolean).join(' ') : profileName
		const words = await listWords(db, owner, person.names)
		const isErased = (await listErased(db, owner, person.names)).size > 0
		return {
			number: person.key,
			name,
			counts,
			consent: contact?.consent ?? null,
			isOptedOut: isErased || words.some(({ optedOut }) => optedOut),
			isErased,
		}
	})

	mount(http, privacy.download, async ({ query, session: { ownerId: owner, userId } }) => {
		const person = await findPerson(db, owner, query.number)
		const held = await findHeld(db, owner, person)
		await noteRequest(context, owner, { kind: 'download', key: person.key, userId, counts: held.counts })
		return { filename: `data_of_${person.key}.json`, content: exportPerson(db, owner, { ...person, ...held }) }
	})

	mount(http, privacy.erase, async ({ body, session: { ownerId, userId } }) => {
		const counts = await erasePerson(context, ownerId, { ...body, userId })
		return { message: 'This person was erased', counts }
	})

	mount(http, privacy.requests, async ({ query, session: { ownerId: owner } }) => {
		const { rows, ...place } = await readPage(query, listRequests(db, owner, query), countRequests(db, owner))
		return { requests: rows.map(({ id, ...request }) => ({ ...request, _id: id })), ...place }
	})
}
