/** An error in Razorpay's form. The code of the body is the same for most statuses, so only the status tells them apart. */
export class RazorpayError extends Error {
	readonly status: number
	readonly body: unknown

	constructor(status: number, description: string | null, field: string | null = null) {
		super(description ?? `Error ${status}`)
		this.status = status
		this.body = description === null ? {} : { error: { ...errorOf(status, description), ...(field && { field }) } }
	}
}

function errorOf(status: number, description: string): Record<string, unknown> {
	return {
		code: status >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR',
		description,
		source: status === 401 || status === 429 ? 'NA' : 'business',
		step: status === 401 || status === 429 ? 'NA' : 'payment_initiation',
		reason: status === 401 || status === 429 ? 'NA' : 'input_validation_failed',
		metadata: {},
	}
}

/** Returns the error of a link or payment that does not exist; Razorpay sends no description with it. */
export function notFound(): RazorpayError {
	return new RazorpayError(404, null)
}

export function unknownUrl(): RazorpayError {
	return new RazorpayError(404, 'The requested URL was not found on the server.')
}

/** Texts of the errors that faults cause; any other status gets the first. */
const BY_STATUS: Record<number, string> = {
	400: 'Something went wrong, please try again after sometime.',
	401: 'Authentication failed',
	429: 'Too many requests',
}

export function errorOfStatus(status: number): RazorpayError {
	return new RazorpayError(status, BY_STATUS[status] ?? BY_STATUS[400] ?? '')
}
