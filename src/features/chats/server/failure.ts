import { adviceFor, scopeOf } from '#features/campaigns/server/service.ts'
import { errorWords } from '../rules.ts'

/** Why a message failed, in words that say what to do. Our own reasons, which are negative, are such words already. */
export function failureText(code: number, given: string | null): string {
	if (code < 0) return given ?? ''
	return scopeOf(code) === 'sender' ? adviceFor({ code, error: given ?? '' }) : errorWords(code, given)
}
