import { ApiError, messageOf } from '#lib/web/api.ts'

/** What a failed call of this screen says: the server's words if it gave any, else `refused`; `unreachable` without an answer. */
export function chatError(error: unknown, refused: string, unreachable: string): string {
	if (!(error instanceof ApiError) || error.status === 0) return unreachable
	return error.status === 401 ? 'Please login to continue' : messageOf(error, refused)
}
