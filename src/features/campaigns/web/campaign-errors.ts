import { ApiError } from '#lib/web/api.ts'

/** The specification has other words for "the server refused" than for "the server did not answer". */
export function failureWords(error: unknown, words: { refused: string; unreachable: string }): string {
	return error instanceof ApiError && error.status > 0 ? words.refused : words.unreachable
}
