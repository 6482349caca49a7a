import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccountId } from '../db.ts'
import type { Log } from '../log.ts'
import { addressOf } from './http.ts'
import { RepeatedLines } from './repeated-lines.ts'

/** Level of each event's lines. Operators search and alert by these names, so they do not change. */
const LEVELS = {
	'sign-in.succeeded': 'info',
	'sign-in.failed': 'warn',
	throttled: 'warn',
	'access.denied': 'warn',
	'sessions.ended': 'info',
	'password-reset.asked': 'info',
	'password-reset.done': 'info',
	'password.changed': 'info',
	'password.refused': 'warn',
	'email.changed': 'info',
	'email-change.confirmed': 'info',
	'email-change.undone': 'warn',
	'second-factor.added': 'info',
	'second-factor.removed': 'warn',
	'second-factor.failed': 'warn',
	'recovery-code.used': 'warn',
	'recovery-codes.made': 'info',
	'credentials.read': 'info',
	'credentials.changed': 'info',
	'api-key.made': 'info',
	'api-key.used': 'info',
	'api-key.refused': 'warn',
	'api-key.revoked': 'info',
	'programs.revoked': 'warn',
	'colleague.changed': 'info',
	'webhook-address.changed': 'info',
	'admin.acted': 'info',
	'webhook.refused': 'warn',
	'payment.refused': 'warn',
} as const

export type SecurityEvent = keyof typeof LEVELS

/** An event with the facts that the request lacks. The log adds the caller, the address, the route and the request's id. */
export interface SecurityEntry {
	event: SecurityEvent
	/** The user whom the event concerns, if not the caller: the user of the typed address for a failed sign-in. */
	userId?: number | undefined
	account?: AccountId | undefined
	/** The typed e-mail address. It is masked before it is written. */
	email?: string | undefined
	/** The reason in a few fixed words, such as `wrong password`; never a password, token or typed text. */
	reason?: string | undefined
}

interface Line {
	event: SecurityEvent
	user?: number | undefined
	account?: number | undefined
	address: string
	method: string
	route: string
	target?: string | undefined
	email?: string | undefined
	reason?: string | undefined
}

declare module 'fastify' {
	interface FastifyInstance {
		/** Lines of `securityLog`. The server adds them. */
		securityLines: RepeatedLines<Line>
	}
}

/** Writes a security event with its user, account, address, route and request id. */
export function securityLog(request: FastifyRequest, entry: SecurityEntry): void {
	const { session, keyHolder, server } = request
	const isCaller = entry.userId === undefined || entry.userId === session?.userId
	server.securityLines.add(
		entry.event,
		{
			event: entry.event,
			user: entry.userId ?? session?.userId,
			account: entry.account ?? (isCaller ? (session ?? keyHolder)?.accountId : undefined),
			address: addressOf(request),
			method: request.method,
			route: plain(request.routeOptions.url ?? 'none', 100),
			target: session ? targetOf(request) : undefined,
			email: entry.email === undefined ? undefined : masked(entry.email),
			reason: entry.reason === undefined ? undefined : plain(entry.reason, 100),
		},
		{ reqId: request.id },
	)
}

/** Makes a server log each denial, each 429, and each change by an admin. */
export function serveSecurityLog(http: FastifyInstance, log: Log): void {
	// The level `info` of this logger keeps these lines at every LOG_LEVEL except silent.
	const security = log.child({ security: true }, log.level === 'silent' ? {} : { level: 'info' })
	const lines = new RepeatedLines<Line>({
		write: (line, more) => security[LEVELS[line.event]]({ ...more, ...line }),
		writeBeyond: (event, repeats) => security[LEVELS[event as SecurityEvent]]({ event, repeats }),
	})
	http.decorate('securityLines', lines)
	http.addHook('onClose', async () => lines.flush())
	http.addHook('onResponse', async (request, reply) => {
		const { access } = request.routeOptions.config
		const { statusCode } = reply
		if (statusCode === 403) securityLog(request, { event: 'access.denied' })
		if (statusCode === 429) securityLog(request, { event: 'throttled' })
		// A request without a token is not an attempt: the user has not signed in yet, and a failed sign-in writes its own
		// event.
		if (statusCode === 401 && access !== 'public' && request.headers.authorization && !request.session) {
			securityLog(request, { event: 'access.denied', reason: 'unknown or expired token' })
		}
		if (statusCode < 400 && access === 'admin' && request.method !== 'GET')
			securityLog(request, { event: 'admin.acted' })
	})
}

/**
 * Returns the path's parameters, such as a user's id, without phone numbers and cut to 60 characters; undefined when
 * none is left.
 */
function targetOf({ params }: FastifyRequest): string | undefined {
	const named = Object.entries((params ?? {}) as Record<string, unknown>).filter(([name]) => name !== 'number')
	const values = named.flatMap(([, value]) => (typeof value === 'string' ? value : []))
	return values.length > 0 ? plain(values.join('/'), 60) : undefined
}

/**
 * Returns the address as `a•••@example.com`, which still distinguishes attempts and can be matched when the user of the
 * address asks.
 */
function masked(email: string): string {
	const at = email.lastIndexOf('@')
	return plain(at < 0 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`, 80)
}

/**
 * Returns the text cut to `maxLength`, with control and formatting characters replaced because they would change how a terminal
 * shows the line.
 */
function plain(text: string, maxLength: number): string {
	return text
		.slice(0, maxLength)
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
		.toWellFormed()
}
