import { shortenedWordsOf } from '#lib/text/words.ts'
import { COURTESIES, START_PHRASES, STOP_PHRASES } from './opt-out-phrases.ts'

export type Intent = 'stop' | 'start'

/** Maximum length of a message in WhatsApp. A longer text has no intent. */
const MAX_TEXT_LENGTH = 4096

/** Intents by phrase; null for a courtesy. */
type Phrases = ReadonlyMap<string, Intent | null>

let builtIn: { phrases: Phrases; maxWords: number } | undefined

/** Returns the phrases of every account, built at the first call: a process that reads no messages does not need them. */
function builtInPhrases(): { phrases: Phrases; maxWords: number } {
	if (builtIn) return builtIn
	const phrases = new Map<string, Intent | null>([
		...expand(COURTESIES).map((phrase) => [phrase, null] as const),
		...expand(START_PHRASES).map((phrase) => [phrase, 'start'] as const),
		...expand(STOP_PHRASES).map((phrase) => [phrase, 'stop'] as const),
	])
	return (builtIn = { phrases, maxWords: longest(phrases) })
}

/** Returns an account's own words as phrases that opt out. */
export function stopPhrases(words: readonly string[]): Phrases {
	return new Map(words.map((word) => [shortenedWordsOf(word).join(' '), 'stop'] as const))
}

const NO_PHRASES: Phrases = new Map()

/**
 * Returns the intent of a message; null without one, or above `MAX_TEXT_LENGTH`. The whole message must consist of
 * phrases of one intent, repeated or with courtesies around them, so that "don't stop" and "where is the bus stop" have
 * none. The time is linear in the number of words: from each position at which a phrase ends, the search looks up the
 * next words, at most as many as the longest phrase has.
 */
export function optOutIntent(text: string, own: Phrases = NO_PHRASES): Intent | null {
	if (text.length > MAX_TEXT_LENGTH) return null
	const words = shortenedWordsOf(text)
	const { phrases, maxWords: builtInWords } = builtInPhrases()
	const maxWords = Math.max(builtInWords, longest(own))
	// For each position between words, the intents of the phrases that end there.
	const askedAt = Array.from({ length: words.length + 1 }, () => new Set<Intent | null>())
	askedAt[0]?.add(null)
	for (const [from, before] of askedAt.entries()) {
		if (before.size === 0) continue
		for (let to = from + 1; to <= Math.min(words.length, from + maxWords); to++) {
			const phrase = words.slice(from, to).join(' ')
			for (const meanings of [own, phrases]) {
				const asked = meanings.get(phrase)
				if (asked === undefined) continue
				for (const known of before) {
					if (known === null || asked === null || known === asked) askedAt[to]?.add(asked ?? known)
				}
			}
		}
	}
	const asked = askedAt[words.length] ?? new Set()
	return (['stop', 'start'] as const).find((intent) => asked.has(intent)) ?? null
}

/** Returns the reason why a word cannot opt out; null when it can. */
export function stopWordProblem(word: string): string | null {
	const phrase = shortenedWordsOf(word).join(' ')
	if (phrase === '') return `"${word}" has no letters or digits. Enter a word that people can type.`
	const known = builtInPhrases().phrases.get(phrase)
	if (known === 'start') return `"${word}" asks for offers again. It cannot end them, too.`
	if (known === null) return `"${word}" is a greeting or courtesy. People who write it would lose your offers.`
	return null
}

/** Returns every sentence that the lines of a list describe. */
function expand(list: string): string[] {
	return list.split('\n').flatMap((line) => {
		const parts = line.trim().split(' ')
		const alternatives = parts.map((part) => part.split('|').map((words) => (words === '-' ? '' : words)))
		const sentences = alternatives.reduce<string[]>(
			(begun, words) => begun.flatMap((start) => words.map((word) => `${start} ${word}`)),
			[''],
		)
		return sentences.map((sentence) => shortenedWordsOf(sentence.replaceAll('_', ' ')).join(' ')).filter(Boolean)
	})
}

function longest(phrases: Phrases): number {
	return Math.max(0, ...Array.from(phrases.keys(), (phrase) => phrase.split(' ').length))
}
