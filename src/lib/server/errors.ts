import { plural } from '../numbers.ts'

/** An answer for the caller: `message` is shown unchanged. Any other thrown error is a bug. */
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

/** One fault of an input. `part` is the part of the request that contains `path`; the body by default. */
export interface InputIssue {
	path: readonly PropertyKey[]
	message: string
	part?: 'path' | 'query' | 'body'
}

/** A 400 for an input of the wrong shape. `issueCount` is the number of faults; `issues` contains the first ones. */
export class InvalidInput extends AppError {
	readonly issues: readonly InputIssue[]
	readonly issueCount: number

	constructor(message: string, issues: readonly InputIssue[], issueCount = issues.length) {
		const fields = Object.fromEntries(issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]))
		super(400, message, { fields })
		this.issues = issues
		this.issueCount = issueCount
	}
}

/** A 429 with a `Retry-After` header of `waitSeconds`. */
export class RetryLater extends AppError {
	readonly waitSeconds: number

	constructor(waitSeconds: number, message: string) {
		super(429, message)
		this.waitSeconds = waitSeconds
	}
}

/** A 429 for an attempt that comes too early. */
export class TooManyAttempts extends RetryLater {
	constructor(waitSeconds: number) {
		super(waitSeconds, `Too many attempts. Please try again in ${plural(waitSeconds, 'second')}.`)
	}
}

export function notFound(thing: string): AppError {
	return new AppError(404, `${thing} not found`)
}

/** Returns the 409 for an account's full list; `most` names the limit, as in "2,000 contact groups". */
export function tooMany(most: string): AppError {
	return new AppError(
		409,
		`Your account has ${most}, which is the most it may have. Delete one that you no longer use.`,
	)
}
