import * as z from 'zod/mini'
import { CurrentPassword, PasswordOrigin, Role, SessionUser } from '#features/auth/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import {
	Email,
	Id,
	Limit,
	ListQuery,
	Message,
	OptionalText,
	Page,
	Required,
	RowId,
	SortedBy,
	Text,
	Time,
} from '#lib/fields.ts'
import { isGstin, plainGstin } from '#lib/gstin.ts'

/** What receipts and statements say of the account's business; empty where not given. */
const Business = z.object({ businessName: z.string(), businessAddress: z.string(), gstin: z.string() })
export type Business = z.output<typeof Business>

const GSTIN_INVALID = 'This GSTIN is not valid. Check its 15 characters.'

/** Changes of it: what is left out stays, and an empty text takes it away. */
const businessChanges = {
	businessName: OptionalText(200),
	businessAddress: OptionalText(300).check(
		z.refine((text) => (text ?? '').split('\n').length <= 6, 'At most 6 lines are allowed'),
	),
	gstin: z.optional(
		Text(100, { tooLong: GSTIN_INVALID }).check(
			z.overwrite(plainGstin),
			z.refine((text) => text === '' || isGstin(text), GSTIN_INVALID),
		),
	),
}

/** A row of the admin's user tables; amounts in rupees. */
export const UserRow = z.extend(z.omit(SessionUser, { id: true }), {
	createdAt: Time,
	hasSecondFactor: z.boolean(),
	passwordFrom: PasswordOrigin,
	...Business.shape,
})
export type UserRow = z.output<typeof UserRow>

const DeletedUserRow = z.object({
	_id: RowId,
	name: z.string(),
	email: z.string(),
	deletedAt: Time,
	/** From when on their data is erased; null for never. */
	erasedFrom: z.nullable(Time),
})
export type DeletedUserRow = z.output<typeof DeletedUserRow>

export const Profile = z.extend(UserRow, {
	id: RowId,
	/** Where the present address waits for confirmation: the one that also signs in until then, and alone gets resets. */
	pendingEmail: z.nullable(z.object({ oldEmail: z.string(), until: Time })),
})
export type Profile = z.output<typeof Profile>

export const EditUserBody = z.object({
	name: Required('Name is required'),
	email: Email,
	role: Role,
	isActive: z.boolean(),
	...businessChanges,
})
export type EditUserBody = z.output<typeof EditUserBody>

const EditedField = z.keyof(EditUserBody)
export const EDITED_FIELDS = EditedField.options

/** `unchanged` names fields that nobody touched: they stay as they are now, as the form may show what was before. */
const EditUserRequest = z.extend(EditUserBody, {
	unchanged: z.optional(z.array(EditedField).check(z.maxLength(EDITED_FIELDS.length))),
})
export type EditUserRequest = z.output<typeof EditUserRequest>

const TypedPassword = z.optional(Text(200))

/** Passwords left empty stay as they are; one that is given needs the other. */
export const ProfileBody = z
	.object({
		name: Required('Name is required'),
		email: Email,
		currentPassword: TypedPassword,
		newPassword: TypedPassword,
		...businessChanges,
	})
	.check(
		always('currentPassword', 'Current password is required', ({ currentPassword, newPassword }) =>
			Boolean(currentPassword || !newPassword),
		),
		always('newPassword', 'New password is required', ({ currentPassword, newPassword }) =>
			Boolean(newPassword || !currentPassword),
		),
		always(
			'newPassword',
			'Password must be at least 6 characters',
			({ newPassword }) => !newPassword || newPassword.length >= 6,
		),
	)
export type ProfileBody = z.output<typeof ProfileBody>

/** The same where the password is to be changed: then both are asked for. */
export const PasswordChangeBody = z.object({
	name: Required('Name is required'),
	email: Email,
	currentPassword: CurrentPassword,
	newPassword: Text(200).check(
		z.minLength(1, { error: 'New password is required', abort: true }),
		z.minLength(6, 'Password must be at least 6 characters'),
	),
	...businessChanges,
})

interface Passwords {
	currentPassword?: string | undefined
	newPassword?: string | undefined
}

/** A rule about the passwords that is also checked while the name or the address is wrong, so that all errors show at once. */
function always(field: keyof Passwords, error: string, holds: (typed: Passwords) => boolean) {
	return z.refine<Passwords>(holds, {
		error,
		path: [field],
		when: ({ value }) => typeof value === 'object' && value !== null,
	})
}

const oneUser = { access: 'admin', params: z.object({ id: Id }) } as const

/** What the list of users can be ordered by. */
export const USER_SORTS = ['createdAt', 'name', 'walletBalance'] as const
export type UserSort = (typeof USER_SORTS)[number]

export const users = {
	me: endpoint('GET /api/users/profile/me', { access: 'signed-in', duringSetUp: true, response: Profile }),
	/** A changed password ends the person's other sessions. */
	updateMe: endpoint('PUT /api/users/profile/me', {
		access: 'signed-in',
		body: ProfileBody,
		response: z.object({ message: z.string(), user: Profile }),
	}),
	list: endpoint('GET /api/users', {
		access: 'admin',
		query: z.object({ ...ListQuery, ...SortedBy(USER_SORTS, 'createdAt') }),
		response: z.object({ users: z.array(UserRow), page: z.int(), pages: z.int(), total: z.int() }),
	}),
	update: endpoint('PUT /api/users/{id}', {
		...oneUser,
		body: EditUserRequest,
		response: z.object({ message: z.string(), user: UserRow }),
	}),
	/** Hides the user and frees the e-mail address; the money records stay. */
	remove: endpoint('DELETE /api/users/{id}', { ...oneUser, response: Message }),
	/** Deleted users whose data is still there, those to be erased next first. */
	deleted: endpoint('GET /api/users/deleted', {
		access: 'admin',
		query: z.object({ page: Page, limit: Limit(10) }),
		response: z.object({
			users: z.array(DeletedUserRow),
			page: z.int(),
			pages: z.int(),
			/** How many days their data is kept; 0 for ever. */
			keepDays: z.int(),
		}),
	}),
	/** For who has lost both phone and recovery codes: they sign in by password again, and everywhere anew. */
	resetSecondFactor: endpoint('DELETE /api/users/{id}/second-factor', { ...oneUser, response: Message }),
	/** Without `isActive`, active becomes inactive and the other way round. */
	toggleStatus: endpoint('PATCH /api/users/{id}/status', {
		...oneUser,
		body: z.object({ isActive: z.optional(z.boolean()) }),
		response: z.object({ message: z.string(), isActive: z.boolean() }),
	}),
}
