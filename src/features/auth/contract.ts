import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Email, Message, Password, Required } from '#lib/fields.ts'

export const Role = z.enum(['admin', 'user'])
export type Role = z.output<typeof Role>

/** The signed-in person, as sign-in answers and as the browser keeps it. */
export const SessionUser = z.object({
	_id: z.string(),
	id: z.string(),
	name: z.string(),
	email: z.string(),
	role: Role,
	isActive: z.boolean(),
	walletBalance: z.number(),
})
export type SessionUser = z.output<typeof SessionUser>

export const LoginBody = z.object({ email: Email, password: Password, remember: z.optional(z.boolean()) })

export const CreateUserBody = z.object({
	name: Required('Name is required'),
	email: Email,
	password: Password,
	role: z._default(Role, 'user'),
	isActive: z._default(z.boolean(), true),
})

export const auth = {
	login: endpoint({
		method: 'POST',
		path: '/api/auth/login',
		access: 'public',
		// Enough for an office behind one address, too little for guessing.
		perMinute: 20,
		body: LoginBody,
		response: z.object({ token: z.string(), user: SessionUser, message: z.string() }),
	}),
	logout: endpoint({ method: 'POST', path: '/api/auth/logout', access: 'signed-in', response: Message }),
	createUser: endpoint({
		method: 'POST',
		path: '/api/auth/admin/create-user',
		access: 'admin',
		body: CreateUserBody,
		response: z.object({ message: z.string(), user: SessionUser }),
	}),
}
