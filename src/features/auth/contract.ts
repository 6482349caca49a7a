import * as z from 'zod/mini'
import { endpoint, SEATS } from '#lib/endpoint.ts'
import { Email, Id, ListQuery, Message, Password, Required, RowId, Text, Time } from '#lib/fields.ts'

export const Role = z.enum(['admin', 'user'])
export type Role = z.output<typeof Role>

/** A user's seat within the account they work in. */
export const SeatName = z.enum(SEATS)

/** Maximum number of colleagues of an account, invited ones included. */
export const MAX_COLLEAGUES = 20

/** A seat that an owner gives to a colleague. */
export const ColleagueSeat = z.enum(['agent', 'template-agent', 'manager'])
export type ColleagueSeat = z.output<typeof ColleagueSeat>

/** The signed-in user, as sign-in answers it and the browser stores it. */
export const SessionUser = z.object({
	_id: RowId,
	id: RowId,
	name: z.string(),
	email: z.string(),
	role: Role,
	seat: SeatName,
	isActive: z.boolean(),
	walletBalance: z.number(),
})
export type SessionUser = z.output<typeof SessionUser>

export const LoginBody = z.object({ email: Email, password: Password, remember: z.optional(z.boolean()) })

export const ForgotBody = z.object({ email: Email })

/** Message for a mailed link that was never issued, was used, or has expired. */
export const BAD_LINK = 'This link is no longer valid. Please ask for a new one.'
const LinkBody = z.object({ token: Text(100, { tooLong: BAD_LINK }).check(z.minLength(1, BAD_LINK)) })
export const ResetBody = z.extend(LinkBody, { password: Password })

export const EmailChangeOutcome = z.enum(['agreed', 'undone', 'replaced'])
export type EmailChangeOutcome = z.output<typeof EmailChangeOutcome>
/** State of a link about a changed address: `open`, `expired` after seven days, or the outcome of the change. */
export const EmailChangeState = z.enum(['open', 'expired', ...EmailChangeOutcome.options])
export type EmailChangeState = z.output<typeof EmailChangeState>

/** An account's API key with its name, or its webhook with its URL. */
export const ProgramAccess = z.object({ kind: z.enum(['api-key', 'webhook']), name: z.string(), madeAt: Time })
export type ProgramAccess = z.output<typeof ProgramAccess>
const Programs = z.array(ProgramAccess)

/**
 * Fields that prove the identity of a signed-in user: the current password, or a code when the user has a second factor. One of
 * them is required.
 */
export const proof = {
	currentPassword: z.optional(Text(200)),
	code: z.optional(Text(40)),
}

/** An open session of a user. */
export const OpenSession = z.object({
	device: z.string(),
	ip: z.nullable(z.string()),
	createdAt: Time,
	lastSeenAt: Time,
	/** True for the session that makes the call. */
	isThis: z.boolean(),
})
export type OpenSession = z.output<typeof OpenSession>

/** Actions of the audit trail that the user whom they concern can also see. */
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
	'colleague-invited',
	'colleague-changed',
	'colleague-removed',
	'user-activated',
	'user-deactivated',
	'user-deleted',
	'links-stopped',
	'links-resumed',
	'data-erased',
	'credentials-saved',
	'recharge-added',
	'payment-credited',
	'payment-refunded',
	'payment-disputed',
	'refund-approved',
	'refund-refused',
	'prices-changed',
	'rates-loaded',
	'rates-removed',
	'webhook-replayed',
])
export type AdminActionKind = z.output<typeof AdminActionKind>

/** An entry of the audit trail: actor, action, subject, time and address, with the names at that time. */
export const AdminAction = z.object({
	_id: RowId,
	action: AdminActionKind,
	/** The acting admin, or a user who changed their own account and is also the subject. */
	actor: z.object({ name: z.string(), email: z.string() }),
	subject: z.nullable(z.object({ name: z.string(), email: z.string() })),
	details: z.nullable(z.string()),
	ip: z.nullable(z.string()),
	createdAt: Time,
})
export type AdminAction = z.output<typeof AdminAction>

export const SignInOutcome = z.enum(['signed-in', 'wrong-password', 'wrong-code', 'inactive'])
export type SignInOutcome = z.output<typeof SignInOutcome>

/** An event of the user's own account: a sign-in, a failed attempt, or a change. */
export const AccountEvent = z.object({
	_id: z.string(),
	kind: z.enum([...SignInOutcome.options, ...AccountChange.options]),
	/** Null for a change. */
	device: z.nullable(z.string()),
	/** Null for a change that another user made. */
	ip: z.nullable(z.string()),
	at: Time,
})
export type AccountEvent = z.output<typeof AccountEvent>

/** Author of a user's password. An invited user has none before choosing one by the mailed link. */
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

/** Number of recovery codes of a new second factor. */
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
	/** True when REQUIRE_ADMIN_TOTP makes the second factor mandatory for this user. */
	isRequired: z.boolean(),
	recoveryCodesLeft: z.int(),
})
export type SecondFactorState = z.output<typeof SecondFactorState>

const LoginResponse = z.object({ token: z.string(), user: SessionUser, message: z.string() })

export const auth = {
	/** Opens a session. Returns 401 with a `challenge` for `secondStep` instead when the user has a second factor. */
	login: endpoint('POST /api/auth/login', { access: 'public', body: LoginBody, response: LoginResponse }),
	/** `recoveryCodesLeft` is the number left after a recovery code was used, otherwise null. */
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
	/**
	 * Creates the secret for the authenticator app; its QR code contains `uri`. The factor is required at sign-in only after
	 * `confirmSecondFactor`.
	 */
	startSecondFactor: endpoint('POST /api/auth/second-factor', {
		access: 'signed-in',
		duringSetUp: true,
		body: StartSecondFactorBody,
		response: z.object({ secret: z.string(), uri: z.string() }),
	}),
	/** Ends the user's other sessions. Returns the recovery codes, which are not readable afterwards. */
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
	/** Returns up to 50 sign-ins, 50 failed attempts and 50 changes of the last 90 days, newest first. */
	activity: endpoint('GET /api/auth/activity', {
		access: 'signed-in',
		response: z.object({ activity: z.array(AccountEvent) }),
	}),
	/** Queues a mail with a reset link. The answer and its timing are the same for known and unknown addresses. */
	forgot: endpoint('POST /api/auth/forgot', { access: 'public', perMinute: 10, body: ForgotBody, response: Message }),
	/**
	 * Sets a password with the `token` of a mailed link, which is valid for one hour and once, and ends all sessions of the
	 * user. `programs` are the API keys and webhooks that remain valid.
	 */
	resetPassword: endpoint('POST /api/auth/reset', {
		access: 'public',
		perMinute: 10,
		body: ResetBody,
		response: z.object({ message: z.string(), programs: Programs }),
	}),
	/** Returns the 10,000 most common passwords, which the forms use to warn about an easy password. */
	commonPasswords: endpoint('GET /api/auth/common-passwords', {
		access: 'public',
		perMinute: 30,
		response: z.object({ passwords: z.array(z.string()) }),
	}),
	/**
	 * Returns the state of the link that was mailed to the previous address after a change. For an open link, returns also
	 * `newEmail` and `madeSince`, the API keys and webhooks made since the change.
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
	/** Restores the last proved address, ends all sessions, and revokes the API keys and webhooks made since the change. */
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
	/** Creates an active user without a password, and mails a link to choose one, which is valid for three days and once. */
	inviteUser: endpoint('POST /api/auth/admin/invite-user', {
		access: 'admin',
		body: InviteUserBody,
		response: z.object({ message: z.string(), user: SessionUser }),
	}),
	/** Mails the invitation again. Only the new link is valid. */
	inviteAgain: endpoint('POST /api/auth/admin/invite-user/{id}', {
		access: 'admin',
		perMinute: 10,
		params: z.object({ id: Id }),
		response: Message,
	}),
}
