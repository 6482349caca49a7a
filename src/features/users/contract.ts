import * as z from 'zod/mini'
import { Role } from '#features/auth/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Limit, Page, Search, Time } from '#lib/fields.ts'

export const Profile = z.object({
	_id: z.string(),
	id: z.string(),
	name: z.string(),
	email: z.string(),
	role: Role,
	isActive: z.boolean(),
	walletBalance: z.number(),
	createdAt: Time,
})
export type Profile = z.output<typeof Profile>

/** A row of the admin's user tables; amounts in rupees. */
export const UserRow = z.object({
	_id: z.string(),
	name: z.string(),
	email: z.string(),
	role: Role,
	isActive: z.boolean(),
	walletBalance: z.number(),
	createdAt: Time,
})
export type UserRow = z.output<typeof UserRow>

export const users = {
	me: endpoint({ method: 'GET', path: '/api/users/profile/me', access: 'signed-in', response: Profile }),
	list: endpoint({
		method: 'GET',
		path: '/api/users',
		access: 'admin',
		query: z.object({ page: Page, limit: Limit(10), search: Search }),
		response: z.object({ users: z.array(UserRow), page: z.int(), pages: z.int(), total: z.int() }),
	}),
}
