import { plural } from '#lib/numbers.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { contacts } from '../contract.ts'
import { setMatchingOptedOut } from './contacts/matching-service.ts'
import { countOptedOut, listOptedOut } from './opt-outs/opt-out-queries.ts'
import * as service from './service.ts'

/** Routes of opt-outs. */
export function optOutRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, contacts.optedOut, async ({ query, session }) => {
		const accountId = session.accountId
		const counting = countOptedOut(db, accountId, query.search)
		const { rows, ...place } = await readPage(query, listOptedOut(db, accountId, query), counting)
		return { optedOut: rows, ...place }
	})

	mount(http, contacts.setOptOuts, async ({ body, session }) => {
		const { accountId, userId: by } = session
		const { matching, optedOut } = body
		const { changed, rejected } = matching
			? { changed: await setMatchingOptedOut(db, accountId, { matching, optedOut, by }), rejected: [] }
			: await transaction(db, (sql) => service.setManyOptedOut(sql, accountId, { ...body, by }))
		const what = body.optedOut ? 'opted out of marketing' : 'opted in to marketing again'
		return { message: `${plural(changed, 'number')} ${what}`, changed, rejected }
	})
}
