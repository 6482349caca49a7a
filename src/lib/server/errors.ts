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

/** A 400 for an input that has not the shape asked for. */
export class InvalidInput extends AppError {
	/** Each fault, and where it is. */
	readonly issues: readonly { path: readonly PropertyKey[]; message: string }[]

	constructor(message: string, issues: InvalidInput['issues']) {
		const fields = Object.fromEntries(issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]))
		super(400, message, { fields })
		this.issues = issues
	}
}

/** A 429: refuses for now. The answer's `Retry-After` says when to ask again. */
export class RetryLater extends AppError {
	readonly waitSeconds: number

	constructor(waitSeconds: number, message: string) {
		super(429, message)
		this.waitSeconds = waitSeconds
	}
}

/** Refuses an attempt that comes too early. */
export class TooManyAttempts extends RetryLater {
	constructor(waitSeconds: number) {
		super(waitSeconds, `Too many attempts. Please try again in ${plural(waitSeconds, 'second')}.`)
	}
}

export function notFound(thing: string): AppError {
	return new AppError(404, `${thing} not found`)
}
