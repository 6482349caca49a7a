import { FAILURE_ENTRIES, type FailureEntry } from './failure-words.ts'

export type FailureWords = Omit<FailureEntry, 'codes'>

const UNKNOWN: FailureWords = {
	title: 'Refused by WhatsApp',
	meaning: 'WhatsApp did not accept or deliver the message. You were not charged.',
	advice: 'Send a test message to your own number. If that fails too, ask your administrator.',
	isWorthRetrying: false,
}

const WORDS = new Map<number, FailureWords>(
	FAILURE_ENTRIES.flatMap(({ codes, ...words }) => codes.map((code) => [code, words] as const)),
)

/** Missing permissions have codes from 200 to 299; they share the entry of this code. */
const PERMISSION_CODE = 10
const isPermission = (code: number) => code >= 200 && code <= 299

/** What a failure means and what to do about it; `code` is Meta's, or one of our own. */
export function failureWords(code: number): FailureWords {
	return WORDS.get(isPermission(code) ? PERMISSION_CODE : code) ?? UNKNOWN
}
