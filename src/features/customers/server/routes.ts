import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { customers } from '../contract.ts'
import * as service from './service.ts'

export function customerRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, customers.get, ({ params, session }) => service.describeCustomer(db, session.accountId, params.number))

	mount(http, customers.addNote, async ({ params, body, session }) => ({
		message: 'Note added',
		note: await service.addNote(db, session.accountId, { key: params.number, text: body.text, userId: session.userId }),
	}))

	mount(http, customers.removeNote, async ({ params, session }) => {
		await service.removeNote(db, session.accountId, params.id)
		return { message: 'Note deleted' }
	})
}
