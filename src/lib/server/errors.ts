import { plural } from '../numbers.ts'

/** An answer the caller is meant to read: `message` is shown as it is. Anything else that is thrown is a bug. */
export class AppError extends Error {
	readonly status: number
	readonly details: Record<string, unknown> | undefined

	constructor(status: number, message: string, details?: Record<string, unknown>) {
		super(message)
		this.name = 'AppError'
		this.status = status
		this.details = details
	}
}

/** Refuses an attempt that comes too early; the answer's `Retry-After` says the same as its words. */
export class TooManyAttempts extends AppError {
	readonly waitSeconds: number

	constructor(waitSeconds: number) {
		super(429, `Too many attempts. Please try again in ${plural(waitSeconds, 'second')}.`)
		this.waitSeconds = waitSeconds
	}
}

export function notFound(thing: string): AppError {
	return new AppError(404, `${thing} not found`)
}
