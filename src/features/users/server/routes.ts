import { rupeesFromPaise } from '#lib/money.ts'
import type { Db } from '#lib/server/db.ts'
import { notFound } from '#lib/server/errors.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { pagesFor } from '#lib/server/paging.ts'
import { users, type UserRow } from '../contract.ts'
import * as queries from './queries.ts'

export function userRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, users.me, async ({ session }) => {
		const user = await queries.findUser(db, session.userId)
		if (!user) throw notFound('User')
		return { ...present(user), id: String(user.id) }
	})

	mount(http, users.list, async ({ query }) => {
		const [rows, total] = await Promise.all([queries.listUsers(db, query), queries.countUsers(db, query.search)])
		return { users: rows.map(present), page: query.page, pages: pagesFor(total, query.limit), total }
	})
}

function present({ id, balancePaise, createdAt, ...user }: queries.User): UserRow {
	return {
		...user,
		_id: String(id),
		walletBalance: rupeesFromPaise(balancePaise),
		createdAt: createdAt.toISOString(),
	}
}
