import { ApiError } from '#lib/web/api.ts'

/**
 * Returns the error text of a failed template call: the server's message, or a description of a response that cannot be
 * read.
 */
export function templateError(error: unknown, fallback: string): string {
	if (!(error instanceof ApiError)) return 'Server returned an invalid response. Please check the server.'
	if (error.message) return error.status > 0 ? error.message : fallback
	return error.details ? `HTTP error ${error.status}` : 'Server returned an invalid response. Please check the server.'
}
