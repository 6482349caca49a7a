import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#lib/app-error.ts'
import type { Log } from '../log.ts'
import { RepeatedLines } from './repeated-lines.ts'

interface Failure {
	/** The route's pattern, without the values of its parameters. */
	url: string | undefined
	status: number
	message: string
	/** True for an intended answer, such as a 503 for a count that takes too long, rather than a fault of the product. */
	isMeant: boolean
}

const MAX_MESSAGE_LENGTH = 300

declare module 'fastify' {
	interface FastifyInstance {
		/** Lines of `logFailure`. The server adds them. */
		failureLines: RepeatedLines<Failure>
	}
}

export function serveFailureLog(http: FastifyInstance, log: Log): void {
	const lines = new RepeatedLines<Failure>({
		write({ isMeant, ...failure }, more) {
			if (isMeant) log.warn({ ...more, ...failure }, 'call refused')
			else log.error({ ...more, ...failure }, 'call failed')
		},
		writeBeyond: (_group, count) => log.error({ repeats: count }, 'more calls failed in other ways'),
	})
	http.decorate('failureLines', lines)
	http.addHook('onClose', async () => lines.flush())
}

/**
 * Logs a call that was answered with a 5xx: a fault of the product as an error with its trace, an `AppError` as a warning
 * without one. Equal failures within ten seconds become one line with their count.
 */
export function logFailure(request: FastifyRequest, { error, status }: { error: Error; status: number }): void {
	const isMeant = error instanceof AppError
	const message = error.message.slice(0, MAX_MESSAGE_LENGTH)
	const failure = { url: request.routeOptions.url, status, message, isMeant }
	const more = isMeant ? { reqId: request.id } : { reqId: request.id, error }
	request.server.failureLines.add('failures', failure, more)
}
