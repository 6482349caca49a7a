import type { PartOut } from '#lib/endpoint.ts'
import { plural } from '#lib/numbers.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { pagesFor } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { contacts } from '../contract.ts'
import { MAX_TAGS_OF_CONTACT } from '../custom-fields.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { readFilter } from './contacts/contact-filter.ts'
import { countMatching, deleteMatching, moveMatching, tagContacts } from './contacts/matching-service.ts'
import { listContacts, listLatest, type ContactOrder } from './contacts/queries.ts'
import { searchContacts, type Found } from './contacts/search-queries.ts'
import { listSorted } from './contacts/sorted-queries.ts'
import { findCachedCount } from './count-queries.ts'
import { customFieldRoutes } from './field-routes.ts'
import { groupRoutes } from './group-routes.ts'
import { optOutRoutes } from './opt-out-routes.ts'
import * as service from './service.ts'
import { presentContact } from './service.ts'

const LATEST = 10

export function contactRoutes(http: Http, deps: service.ContactContext): void {
	const { db } = deps

	mount(http, contacts.list, async ({ query, session }) => {
		const { page, limit } = query
		const found = await findPage(db, session.accountId, query)
		// Adds one page to the counted pages when more contacts match, so that the next page can be opened.
		const pages = pagesFor(found.total, limit) + (found.hasMore ? 1 : 0)
		return { ...found, contacts: found.contacts.map(presentContact), page, pages }
	})

	mount(http, contacts.count, async ({ query, session }) => ({
		total: await countMatching(db, session.accountId, query),
	}))

	mount(http, contacts.latest, async ({ session }) => ({
		contacts: (await listLatest(db, session.accountId, LATEST)).map(presentContact),
	}))

	mount(http, contacts.create, async ({ body, session }) => {
		const contact = await service.createContact(deps, session.accountId, body)
		return { message: 'Contact added successfully', contact: presentContact(contact) }
	})

	mount(http, contacts.update, async ({ params, body, session }) => {
		const contact = await service.updateContact(db, session.accountId, { ...body, id: params.id })
		return { message: 'Contact updated successfully', contact: presentContact(contact) }
	})

	mount(http, contacts.setOptOut, async ({ params, body, session }) => {
		const change = { id: params.id, optedOut: body.optedOut, by: session.userId }
		const contact = await service.setOptedOut(db, session.accountId, change)
		const message = body.optedOut ? 'Contact opted out of marketing' : 'Contact receives marketing again'
		return { message, contact: presentContact(contact) }
	})

	mount(http, contacts.optOuts, async ({ params, session }) => {
		return { changes: await service.listOptOutChanges(db, session.accountId, params.id) }
	})

	mount(http, contacts.remove, async ({ params, session }) => {
		await service.deleteContact(db, session.accountId, { id: params.id, by: session.userId })
		return { message: 'Contact deleted successfully' }
	})

	mount(http, contacts.move, async ({ body, session }) => {
		const { ids = [], matching, group } = body
		const moved = matching
			? await moveMatching(db, session.accountId, { matching, group })
			: await service.moveContacts(db, session.accountId, { ids, group })
		return { message: `${plural(moved, 'contact')} moved successfully` }
	})

	mount(http, contacts.tag, async ({ body, session }) => {
		return { message: taggedWords(body.isAdded, await tagContacts(db, session.accountId, body)) }
	})

	mount(http, contacts.removeMany, async ({ body, session }) => {
		const { ids = [], matching } = body
		const gone = matching
			? await deleteMatching(db, session.accountId, { matching, by: session.userId })
			: await service.deleteMany(db, session.accountId, { ids, by: session.userId })
		return { message: `${plural(gone, 'contact')} deleted successfully` }
	})

	optOutRoutes(http, deps)
	bulkRoutes(http, deps)
	groupRoutes(http, deps)
	customFieldRoutes(http, deps)
}

/**
 * Returns a page of contacts with its actual order. `total` is the cached count without a search, exact for a sorted
 * list, and otherwise counted only a few pages past the current one.
 */
async function findPage(
	db: Db,
	accountId: AccountId,
	wanted: PartOut<typeof contacts.list.query>,
): Promise<Found & ContactOrder> {
	const { search, page, limit, sort, order } = wanted
	const filter = await readFilter(db, accountId, wanted)
	if (!filter) return { contacts: [], total: 0, hasMore: false, sort, order }
	const { groupId } = filter
	const isSearch = search !== '' || filter.tagId !== null || filter.having !== null
	// Orders without an index are sorted, up to `MAX_SORTED` contacts.
	const isSorted = sort === 'added' ? isSearch && order === 'asc' : isSearch || groupId !== null
	const sorted = isSorted ? await listSorted(db, accountId, { ...filter, page, limit, sort, order }) : null
	if (sorted) return { ...sorted, hasMore: false, sort, order }
	const given: ContactOrder = isSorted ? { sort: 'added', order: 'desc' } : { sort, order }
	if (isSearch) return { ...(await searchContacts(db, accountId, { ...filter, page, limit })), ...given }
	const total = await findCachedCount(db, accountId, groupId)
	const rows = await listContacts(db, accountId, { page, limit, groupId, total, ...given })
	return { contacts: rows, total, hasMore: false, ...given }
}

function taggedWords(isAdded: boolean, { changed, full }: { changed: number; full: number }): string {
	const done = `${plural(changed, 'contact')} ${isAdded ? 'tagged' : 'untagged'} successfully`
	const had = `${plural(MAX_TAGS_OF_CONTACT, 'tag')} already, and ${full === 1 ? 'was' : 'were'} left as before`
	return full === 0 ? done : `${done}. ${plural(full, 'contact')} had ${had}.`
}
