import { chatWords, metaCode, stopAdvice } from '#features/whatsapp/server/codes/codes.ts'

/** Why a message failed, in words that say what to do. Our own reasons, which are negative, are such words already. */
export function failureText(code: number, given: string | null): string {
	if (code < 0) return given ?? ''
	return metaCode(code).scope === 'sender' ? stopAdvice({ code, error: given ?? '' }) : chatWords(code, given)
}
