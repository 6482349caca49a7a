import { ApiError } from '#lib/web/api.ts'

/** What a failed template call says: the server's words, or what came instead of an answer that can be read. */
export function templateError(error: unknown, fallback: string): string {
	if (!(error instanceof ApiError)) return 'Server returned an invalid response. Please check the server.'
	if (error.message) return error.status > 0 ? error.message : fallback
	return error.details ? `HTTP error ${error.status}` : 'Server returned an invalid response. Please check the server.'
}
