import { MONEY_WORD, tagLabel, wordsOf } from '#features/audiences/values.ts'
import type { Component } from '#features/templates/contract.ts'
import {
	componentsIn,
	findComponent,
	mergeTags,
	slotsOf,
	splitVariables,
	type Variables,
} from '#features/templates/values.ts'

/**
 * Points of the words before a variable, the nearest first. A word right after the variable belongs to it, not to the
 * next one.
 */
const BEFORE = [4, 3, 2, 1]
const AFTER = [5, 2]
const MIN_SCORE = 2
const GREETING = /^(hi|hello|hey|dear|namaste|namaskar|mr|mrs|ms|shri|smt|नमस्ते|नमस्कार|प्रिय)$/
/** The end of a text that wishes something well: "Happy Diwali ", "Good morning, ". */
const WISH =
	/(?:^|[^\p{L}])(?:happy|merry|good|shubh|शुभ) (?!to |that |with |for |news )[\p{L}\p{M}]{1,30}(?: year)?,? ?$/u
const HONORIFIC = /^(ji|sir|madam|maam|जी)$/
const NAME = /^(first|full|name|naam|cust|customer|client|member|party|नाम|नाव|ग्राहक)$/
const RUPEES = /^(rs|inr|₹|rupee)$/
const DATE = /^(on|by|before|until|till|from)$/

/** Words between "your bill" and its amount. */
const LINK = /^(is|of|was|are|for|only)$/

interface Place {
	key: string
	before: string[]
	after: string[]
	/** True behind a wish, as in "Happy Diwali {{1}}". */
	isWished: boolean
}

/**
 * Returns the column that each variable seems to ask for by the words beside it: "Dear {{1}}" for a name, "your order
 * {{2}}" for the column "Order no". Variables without a likely column are left out.
 */
export function likelyValues(components: readonly Component[], tags: readonly string[]): Variables {
	const columns = tags.map((tag) => ({ tag, words: stems(tagLabel(tag)) }))
	const pairs = placesOf(components).flatMap((place) =>
		columns.map(({ tag, words }) => ({ key: place.key, tag, score: scoreOf(place, words) })),
	)
	const chosen = new Map<string, string>()
	for (const { key, tag, score } of pairs.toSorted((a, b) => b.score - a.score))
		if (score >= MIN_SCORE && !chosen.has(key) && ![...chosen.values()].includes(tag)) chosen.set(key, tag)
	return Object.fromEntries(Array.from(chosen, ([key, tag]) => [key, `{{${tag}}}`]))
}

/**
 * Returns the variables of header and body with the words beside them, the nearest first. The name of a variable counts
 * as words too.
 */
function placesOf(components: readonly Component[]): Place[] {
	return slotsOf(components).flatMap((slot): Place[] => {
		const { key, place, number, name } = slot
		const text = findComponent(componentsIn(components, slot), place.toUpperCase())?.text
		if (text === undefined) return []
		const pieces = splitVariables(text)
		const at = pieces.findIndex(({ variable }) => variable === String(name ?? number))
		const own = name ? stems(name) : []
		const before = pieces[at - 1]?.text ?? ''
		const words = [...stems(before), ...own].toReversed()
		const isWished = WISH.test(before.slice(-60).replaceAll(/[*_~]/g, '').toLowerCase())
		return [{ key, before: words, after: stems(pieces[at + 1]?.text ?? ''), isWished }]
	})
}

/** Returns the points of a column; 0 when no word names its content. */
function scoreOf({ before, after, isWished }: Place, words: readonly string[]): number {
	const [last = '', second = ''] = before
	const isGreeted = GREETING.test(last) || isWished || HONORIFIC.test(after[0] ?? '')
	const isName = isGreeted && words.some((word) => NAME.test(word))
	const isWholeName = isName && words.every((word) => NAME.test(word))
	const isDate = words.includes('date')
	const isOwed = MONEY_WORD.test(last) || (LINK.test(last) && MONEY_WORD.test(second))
	const isMoney = (isBesideRupees({ before, after }) || isOwed) && words.some((word) => MONEY_WORD.test(word))
	const kinds =
		(isName ? 6 : 0) + (isWholeName ? 2 : 0) + (isDate && DATE.test(last) ? 3 : 0) + (isMoney && !isDate ? 3 : 0)
	// "Your order" asks for "Order no", not for "Order amount" or "Order date".
	const isOther = words.some((word) => word === 'date' || MONEY_WORD.test(word)) && !isMoney
	const points = kinds + shared(before, BEFORE, words) + shared(after, AFTER, words)
	return isOther && points > MIN_SCORE ? points - 0.5 : points
}

function isBesideRupees({ before, after }: Pick<Place, 'before' | 'after'>): boolean {
	return RUPEES.test(before[0] ?? '') || RUPEES.test(after[0] ?? '')
}

/** Returns the tags in variables whose text contains the sign of rupees, as "₹{{1}}" does. */
export function tagsBesideRupees(components: readonly Component[], variables: Variables): string[] {
	return placesOf(components)
		.filter(isBesideRupees)
		.flatMap(({ key }) => mergeTags({ value: variables[key] ?? '' }))
}

function shared(beside: readonly string[], points: readonly number[], words: readonly string[]): number {
	return points.reduce((sum, point, at) => sum + (words.includes(beside[at] ?? '') ? point : 0), 0)
}

/** Returns true for a column of people's names, such as "Customer name"; false for "Last name". */
export function isNameTag(tag: string): boolean {
	const words = stems(tagLabel(tag))
	return words.length > 0 && words.every((word) => NAME.test(word))
}

/** Returns the words of a text in the singular, for comparison. */
function stems(text: string): string[] {
	return wordsOf(text).map((word) => word.replace(/(?<=\w{2})s$/, ''))
}
