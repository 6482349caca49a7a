import { ApiError } from '#lib/web/api.ts'

/** The specification's text for a call that the server refused, or did not answer. */
export function fetchErrorText(error: unknown, words: { refused: string; unreachable: string }): string {
	return error instanceof ApiError && error.status > 0 ? words.refused : words.unreachable
}
