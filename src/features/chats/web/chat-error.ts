import { ApiError, messageOf } from '#lib/web/api.ts'

/** The text for a failed call: the server's message, else `refused`; `unreachable` if there was no response at all. */
export function chatError(error: unknown, refused: string, unreachable: string): string {
	if (!(error instanceof ApiError) || error.status === 0) return unreachable
	return error.status === 401 ? 'Please login to continue' : messageOf(error, refused)
}
