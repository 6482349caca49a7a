import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccountId } from '../db.ts'
import type { Log } from '../log.ts'
import { addressOf } from './http.ts'
import { RepeatedLines } from './repeated-lines.ts'

/** Every event, with the level of its lines. Searches and alarms of operators know these names: they stay. */
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
	'webhook-address.changed': 'info',
	'admin.acted': 'info',
	'webhook.refused': 'warn',
} as const

export type SecurityEvent = keyof typeof LEVELS

/** What happened, beside what the request itself says: the caller, the address, the route and the request's id. */
export interface SecurityEntry {
	event: SecurityEvent
	/** Who it is about, where that is not the caller: of a failed sign-in, the person whose address was typed. */
	userId?: number | undefined
	account?: AccountId | undefined
	/** As typed by a stranger: written masked. */
	email?: string | undefined
	/** A few words of our own, such as `wrong password`; never a password, token or typed text. */
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
		/** Where `securityLog` writes. Decorated by the server. */
		securityLines: RepeatedLines<Line>
	}
}

/** Writes what an operator must be able to find again: who tried what, from where, and with which request. */
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

/** Has a server write down each denial, each refusal for asking too often, and each change that an admin makes. */
export function serveSecurityLog(http: FastifyInstance, log: Log): void {
	// These lines are written at every LOG_LEVEL but silent.
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
		// Who sends no token has not signed in yet, and signing in writes its own failures.
		if (statusCode === 401 && access !== 'public' && request.headers.authorization && !request.session) {
			securityLog(request, { event: 'access.denied', reason: 'unknown or expired token' })
		}
		if (statusCode < 400 && access === 'admin' && request.method !== 'GET')
			securityLog(request, { event: 'admin.acted' })
	})
}

/** What the path names, such as the user whose credentials are read: ids, bounded whatever they hold, and nobody's phone number. */
function targetOf({ params }: FastifyRequest): string | undefined {
	const named = Object.entries((params ?? {}) as Record<string, unknown>).filter(([name]) => name !== 'number')
	const values = named.flatMap(([, value]) => (typeof value === 'string' ? value : []))
	return values.length > 0 ? plain(values.join('/'), 60) : undefined
}

/** `a•••@example.com`: enough to tell attempts apart, and to answer whoever asks about their own address. */
function masked(email: string): string {
	const at = email.lastIndexOf('@')
	return plain(at < 0 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`, 80)
}

/** At most so many characters, and none that could change how a terminal shows a line; JSON escapes the rest. */
function plain(text: string, maxLength: number): string {
	return text
		.slice(0, maxLength)
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
		.toWellFormed()
}
