import * as z from 'zod/mini'
import { CurrentPassword, PasswordOrigin, Role, SeatName, SessionUser } from '#features/auth/contract.ts'
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
import { isGstin, isStateCode, plainGstin } from '#lib/gstin.ts'

/**
 * Business details of an account on receipts and statements; empty texts where not given. The state is a GST code of two
 * digits, and the state of the GSTIN when there is one.
 */
const Business = z.object({
	businessName: z.string(),
	businessAddress: z.string(),
	businessState: z.string(),
	gstin: z.string(),
})
export type Business = z.output<typeof Business>

const GSTIN_INVALID = 'This GSTIN is not valid. Check its 15 characters.'

/** Changes of the business details. A missing field stays, an empty text removes the detail. */
const businessChanges = {
	businessName: OptionalText(200),
	businessAddress: OptionalText(300).check(
		z.refine((text) => (text ?? '').split('\n').length <= 6, 'At most 6 lines are allowed'),
	),
	businessState: z.optional(
		Text(100).check(z.refine((text) => text === '' || isStateCode(text), 'Choose a state from the list')),
	),
	gstin: z.optional(
		Text(100, { tooLong: GSTIN_INVALID }).check(
			z.overwrite(plainGstin),
			z.refine((text) => text === '' || isGstin(text), GSTIN_INVALID),
		),
	),
}

/** Time and reason of an administrator's stop of the account's counted links; null while the links work. */
const StoppedLinks = z.nullable(z.object({ since: Time, reason: z.string() }))
export type StoppedLinks = z.output<typeof StoppedLinks>

/** A row of the admin's user tables; amounts in rupees. */
export const UserRow = z.extend(z.omit(SessionUser, { id: true, seat: true }), {
	createdAt: Time,
	hasSecondFactor: z.boolean(),
	passwordFrom: PasswordOrigin,
	linksStopped: StoppedLinks,
	...Business.shape,
})
export type UserRow = z.output<typeof UserRow>

const DeletedUserRow = z.object({
	_id: RowId,
	name: z.string(),
	email: z.string(),
	deletedAt: Time,
	/** Time from which the user's data is erased; null when it is retained for ever. */
	erasedFrom: z.nullable(Time),
})
export type DeletedUserRow = z.output<typeof DeletedUserRow>

export const Profile = z.extend(UserRow, {
	id: RowId,
	seat: SeatName,
	/**
	 * The previous address while a change awaits confirmation; otherwise null. The previous address can sign in until
	 * `until`, and is the only one that receives reset links.
	 */
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

/**
 * `unchanged` names fields that the admin did not edit. Such a field keeps its stored value, which may be newer than
 * the value in the form.
 */
const EditUserRequest = z.extend(EditUserBody, {
	unchanged: z.optional(z.array(EditedField).check(z.maxLength(EDITED_FIELDS.length))),
})
export type EditUserRequest = z.output<typeof EditUserRequest>

const TypedPassword = z.optional(Text(200))

/**
 * Fields of the profile form. Empty password fields keep the current password; a text in one of them requires the
 * other.
 */
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

/** Fields of the profile form while it changes the password: both passwords are required. */
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

/** Returns a check of the passwords that runs even when the name or address is invalid, so that all errors show together. */
function always(field: keyof Passwords, error: string, holds: (typed: Passwords) => boolean) {
	return z.refine<Passwords>(holds, {
		error,
		path: [field],
		when: ({ value }) => typeof value === 'object' && value !== null,
	})
}

export const LINKS_REASON_MISSING = 'Please enter a reason'
export const MAX_LINKS_REASON_LENGTH = 300

/** The reason is required to stop links, and ignored when links are resumed. */
export const LinksBody = z
	.object({ isStopped: z.boolean('isStopped is true or false'), reason: OptionalText(MAX_LINKS_REASON_LENGTH) })
	.check(
		z.refine(({ isStopped, reason = '' }) => !isStopped || reason !== '', {
			error: LINKS_REASON_MISSING,
			path: ['reason'],
		}),
	)

const oneUser = { access: 'admin', params: z.object({ id: Id }) } as const

/** Sort orders of the list of users. */
export const USER_SORTS = ['createdAt', 'name', 'walletBalance'] as const
export type UserSort = (typeof USER_SORTS)[number]

export const users = {
	me: endpoint('GET /api/users/profile/me', { access: 'signed-in', duringSetUp: true, response: Profile }),
	/** Changes the caller's profile. A new password ends the user's other sessions. */
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
	/** Hides the user and makes the email address free for another user. Money records remain. */
	remove: endpoint('DELETE /api/users/{id}', { ...oneUser, response: Message }),
	/** Returns deleted users whose data is not erased yet, next erasure first. */
	deleted: endpoint('GET /api/users/deleted', {
		access: 'admin',
		query: z.object({ page: Page, limit: Limit(10) }),
		response: z.object({
			users: z.array(DeletedUserRow),
			page: z.int(),
			pages: z.int(),
			/** Days for which the data of deleted users is retained; 0 retains it for ever. */
			keepDays: z.int(),
		}),
	}),
	/**
	 * Deletes the second factor of a user who has lost phone and recovery codes. Ends all sessions; after that, only the password
	 * signs in.
	 */
	resetSecondFactor: endpoint('DELETE /api/users/{id}/second-factor', { ...oneUser, response: Message }),
	/** Sets the status. Without `isActive`, toggles it. */
	toggleStatus: endpoint('PATCH /api/users/{id}/status', {
		...oneUser,
		body: z.object({ isActive: z.optional(z.boolean()) }),
		response: z.object({ message: z.string(), isActive: z.boolean() }),
	}),
	/** Stops or resumes the counted links in all messages of the account. Repeating a call changes nothing. */
	setLinks: endpoint('PATCH /api/users/{id}/links', {
		...oneUser,
		body: LinksBody,
		response: z.object({ message: z.string(), linksStopped: StoppedLinks }),
	}),
}
