import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Email, Id, ListQuery, Message, Password, Required, RowId, Text, Time } from '#lib/fields.ts'

export const Role = z.enum(['admin', 'user'])
export type Role = z.output<typeof Role>

/** The signed-in person, as sign-in answers and as the browser keeps it. */
export const SessionUser = z.object({
	_id: RowId,
	id: RowId,
	name: z.string(),
	email: z.string(),
	role: Role,
	isActive: z.boolean(),
	walletBalance: z.number(),
})
export type SessionUser = z.output<typeof SessionUser>

export const LoginBody = z.object({ email: Email, password: Password, remember: z.optional(z.boolean()) })

export const ForgotBody = z.object({ email: Email })

/** What a link says that was never made, was used, or is older than an hour. */
export const BAD_LINK = 'This link is no longer valid. Please ask for a new one.'
const LinkBody = z.object({ token: Text(100, { tooLong: BAD_LINK }).check(z.minLength(1, BAD_LINK)) })
export const ResetBody = z.extend(LinkBody, { password: Password })

export const EmailChangeOutcome = z.enum(['agreed', 'undone', 'replaced'])
export type EmailChangeOutcome = z.output<typeof EmailChangeOutcome>
/** What a link about a changed address can still do: `expired` when its seven days have passed. */
export const EmailChangeState = z.enum(['open', 'expired', ...EmailChangeOutcome.options])
export type EmailChangeState = z.output<typeof EmailChangeState>

/** An API key or a webhook of an account, with its name or its address. */
export const ProgramAccess = z.object({ kind: z.enum(['api-key', 'webhook']), name: z.string(), madeAt: Time })
export type ProgramAccess = z.output<typeof ProgramAccess>
const Programs = z.array(ProgramAccess)

/**
 * Fields by which a signed-in person proves who they are: the current password, or a code where they have a second factor.
 * One of them is required.
 */
export const proof = {
	currentPassword: z.optional(Text(200)),
	code: z.optional(Text(40)),
}

/** One of the places where a person is signed in. */
export const OpenSession = z.object({
	device: z.string(),
	ip: z.nullable(z.string()),
	createdAt: Time,
	lastSeenAt: Time,
	/** Whether it is the one that asks. */
	isThis: z.boolean(),
})
export type OpenSession = z.output<typeof OpenSession>

/** The entries of the audit trail that are also shown to the person whom they are about. */
export const AccountChange = z.enum([
	'email-changed',
	'email-confirmed',
	'email-undone',
	'password-changed',
	'password-reset',
	'second-factor-added',
	'second-factor-removed',
	'second-factor-reset',
	'recovery-code-used',
	'api-key-made',
	'api-key-revoked',
	'webhook-added',
	'webhook-changed',
	'webhook-deleted',
	'programs-revoked',
	'user-edited',
	'data-downloaded',
])

export const AdminActionKind = z.enum([
	...AccountChange.options,
	'user-created',
	'password-link-mailed',
	'user-activated',
	'user-deactivated',
	'user-deleted',
	'data-erased',
	'credentials-saved',
	'recharge-added',
	'refund-approved',
	'refund-refused',
	'prices-changed',
	'webhook-replayed',
])
export type AdminActionKind = z.output<typeof AdminActionKind>

/** A line of the audit trail: actor, action, subject, time and address, with the names of then. */
export const AdminAction = z.object({
	_id: RowId,
	action: AdminActionKind,
	/** An admin; or a user who changed their own account, who is then the subject, too. */
	actor: z.object({ name: z.string(), email: z.string() }),
	subject: z.nullable(z.object({ name: z.string(), email: z.string() })),
	details: z.nullable(z.string()),
	ip: z.nullable(z.string()),
	createdAt: Time,
})
export type AdminAction = z.output<typeof AdminAction>

export const SignInOutcome = z.enum(['signed-in', 'wrong-password', 'wrong-code', 'inactive'])
export type SignInOutcome = z.output<typeof SignInOutcome>

/** What happened to one's own account: somebody signed in, or tried to, or something was changed. */
export const AccountEvent = z.object({
	_id: z.string(),
	kind: z.enum([...SignInOutcome.options, ...AccountChange.options]),
	/** Null for a change. */
	device: z.nullable(z.string()),
	/** Null where somebody else made the change. */
	ip: z.nullable(z.string()),
	at: Time,
})
export type AccountEvent = z.output<typeof AccountEvent>

/** Who chose a user's password; of `nobody` only a mailed link makes a user who can sign in. */
export const PasswordOrigin = z.enum(['self', 'admin', 'nobody'])
export type PasswordOrigin = z.output<typeof PasswordOrigin>

export const CreateUserBody = z.object({
	name: Required('Name is required'),
	email: Email,
	password: Password,
	role: z._default(Role, 'user'),
	isActive: z._default(z.boolean(), true),
})

export const InviteUserBody = z.omit(CreateUserBody, { password: true, isActive: true })

/** How many recovery codes a second factor comes with. */
export const RECOVERY_CODES = 10

/** A code of an authenticator app, or a recovery code. */
const Code = Required('Code is required', 40)
export const CurrentPassword = Text(200, { missing: 'Current password is required' }).check(
	z.minLength(1, 'Current password is required'),
)
export const StartSecondFactorBody = z.object({ currentPassword: CurrentPassword })
export const CodeBody = z.object({ code: Code })
export const RemoveSecondFactorBody = z.extend(StartSecondFactorBody, CodeBody.shape)

export const SecondFactorState = z.object({
	isOn: z.boolean(),
	/** Whether this person cannot do without, as REQUIRE_ADMIN_TOTP says. */
	isRequired: z.boolean(),
	recoveryCodesLeft: z.int(),
})
export type SecondFactorState = z.output<typeof SecondFactorState>

const LoginResponse = z.object({ token: z.string(), user: SessionUser, message: z.string() })

export const auth = {
	/** Who has a second factor gets 401 with a `challenge` for `secondStep`, and no session yet. */
	login: endpoint('POST /api/auth/login', { access: 'public', body: LoginBody, response: LoginResponse }),
	/** `recoveryCodesLeft` after one of them was used, else null. */
	secondStep: endpoint('POST /api/auth/login/second-step', {
		access: 'public',
		perMinute: 30,
		body: z.extend(CodeBody, { challenge: Text(1000) }),
		response: z.extend(LoginResponse, { recoveryCodesLeft: z.nullable(z.int()) }),
	}),
	secondFactor: endpoint('GET /api/auth/second-factor', {
		access: 'signed-in',
		duringSetUp: true,
		response: SecondFactorState,
	}),
	/** Makes the secret for the app: `uri` is what its QR code says. It counts once `confirmSecondFactor` has had a code. */
	startSecondFactor: endpoint('POST /api/auth/second-factor', {
		access: 'signed-in',
		duringSetUp: true,
		body: StartSecondFactorBody,
		response: z.object({ secret: z.string(), uri: z.string() }),
	}),
	/** Ends the person's other sessions. The recovery codes are told here once and never again. */
	confirmSecondFactor: endpoint('POST /api/auth/second-factor/confirm', {
		access: 'signed-in',
		duringSetUp: true,
		body: CodeBody,
		response: z.object({ message: z.string(), recoveryCodes: z.array(z.string()) }),
	}),
	removeSecondFactor: endpoint('POST /api/auth/second-factor/remove', {
		access: 'signed-in',
		body: RemoveSecondFactorBody,
		response: Message,
	}),
	logout: endpoint('POST /api/auth/logout', { access: 'signed-in', duringSetUp: true, response: Message }),
	logoutEverywhere: endpoint('POST /api/auth/logout-everywhere', { access: 'signed-in', response: Message }),
	sessions: endpoint('GET /api/auth/sessions', {
		access: 'signed-in',
		response: z.object({ sessions: z.array(OpenSession) }),
	}),
	/** Of the last 90 days: 50 sign-ins, 50 failed attempts and 50 changes at most, the newest first. */
	activity: endpoint('GET /api/auth/activity', {
		access: 'signed-in',
		response: z.object({ activity: z.array(AccountEvent) }),
	}),
	/** Has a link mailed; answers the same, as fast, whether or not anybody has this address. */
	forgot: endpoint('POST /api/auth/forgot', { access: 'public', perMinute: 10, body: ForgotBody, response: Message }),
	/**
	 * `token` is that of the mailed link: one hour, single use. Ends all sessions of its person. `programs` are the API keys and
	 * webhooks that go on working.
	 */
	resetPassword: endpoint('POST /api/auth/reset', {
		access: 'public',
		perMinute: 10,
		body: ResetBody,
		response: z.object({ message: z.string(), programs: Programs }),
	}),
	/** The 10,000 most common passwords, by which the forms tell that one is easy to guess. */
	commonPasswords: endpoint('GET /api/auth/common-passwords', {
		access: 'public',
		perMinute: 30,
		response: z.object({ passwords: z.array(z.string()) }),
	}),
	/**
	 * Returns the state of the link that was mailed to the address before a change. `newEmail` and `madeSince`, the API keys and
	 * webhooks made since the change, are given while it is open.
	 */
	emailChange: endpoint('POST /api/auth/email-change', {
		access: 'public',
		perMinute: 30,
		body: LinkBody,
		response: z.object({ state: EmailChangeState, newEmail: z.nullable(z.string()), madeSince: Programs }),
	}),
	agreeEmailChange: endpoint('POST /api/auth/email-change/agree', {
		access: 'public',
		perMinute: 10,
		body: LinkBody,
		response: Message,
	}),
	/** Restores the address before all changes that are not proved, ends all sessions, and revokes the programs made since. */
	undoEmailChange: endpoint('POST /api/auth/email-change/undo', {
		access: 'public',
		perMinute: 10,
		body: LinkBody,
		response: z.object({ message: z.string(), revoked: Programs, remaining: Programs }),
	}),
	adminActions: endpoint('GET /api/admin/actions', {
		access: 'admin',
		query: z.object(ListQuery),
		response: z.object({ actions: z.array(AdminAction), page: z.int(), pages: z.int(), total: z.int() }),
	}),
	createUser: endpoint('POST /api/auth/admin/create-user', {
		access: 'admin',
		body: CreateUserBody,
		response: z.object({ message: z.string(), user: SessionUser }),
	}),
	/** Creates an active user without a password, and mails them a link to choose one: three days, single use. */
	inviteUser: endpoint('POST /api/auth/admin/invite-user', {
		access: 'admin',
		body: InviteUserBody,
		response: z.object({ message: z.string(), user: SessionUser }),
	}),
	/** The same mail again, whose link is then the only good one. */
	inviteAgain: endpoint('POST /api/auth/admin/invite-user/{id}', {
		access: 'admin',
		perMinute: 10,
		params: z.object({ id: Id }),
		response: Message,
	}),
}
