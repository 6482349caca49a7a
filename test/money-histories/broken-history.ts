/** A history that broke a rule, with the rule. */
export class BrokenHistory extends Error {
	/** Index in its group. */
	readonly index: number
	/** Number of steps taken before the rule was broken. */
	readonly steps: number
	constructor({ index, steps }: { index: number; steps: number }, cause: unknown) {
		super(cause instanceof Error ? cause.message : String(cause), { cause })
		this.index = index
		this.steps = steps
	}
}

/** A run that lost its database. It proves nothing about money. */
export class LostConnection extends Error {
	constructor(cause: Error) {
		super(`The connection to the database was lost, so that no rule was checked: ${cause.message}`, { cause })
	}
}

/** Returns the error to throw for a step that failed: a broken history, unless the connection was lost. */
export function failureOfStep(place: { index: number; steps: number }, error: unknown): Error {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if (isLostConnection(cause)) return new LostConnection(cause)
	}
	return new BrokenHistory(place, error)
}

/** PostgreSQL's classes of connection errors and of a shutdown, and the errors of sockets. */
const LOST_CODES = /^(?:08\w{3}|57P0[1-3]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/
/** Errors without a code of the driver and its pool. */
const LOST_TEXTS = /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/

function isLostConnection(error: Error & { code?: unknown }): boolean {
	return LOST_CODES.test(String(error.code)) || LOST_TEXTS.test(error.message)
}
