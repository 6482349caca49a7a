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

export function notFound(thing: string): AppError {
	return new AppError(404, `${thing} not found`)
}
