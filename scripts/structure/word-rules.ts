import { parseSync } from 'vite'
import { isCode, lineAt, type Rule } from './source.ts'

/** A comment, or the title of a test or suite. */
interface Sentence {
	text: string
	index: number
}

/** A comment that starts with one of these words has no subject: "Of the account", "What it costs". */
const SUBJECTLESS = /^(?:Of|Those|One that|What|Whether|Who|Whoever|Which|As|Likewise|So)\b/
/** Words that leave out the person, thing or place that they mean. */
const VAGUE =
	/\b(?:somebody|nobody|whoever|told|says of|stands|is to be had|comes to the same|by itself|by themselves|by himself)\b/i
/** The start of a test or suite and its title. The closing quote is not matched, so that no attempt fails after a long text. */
const TITLES = [
	/\b(?:test|suite|describe|it)\(\s*'((?:[^'\\\n]|\\.)*)/g,
	/\b(?:test|suite|describe|it)\(\s*`((?:[^`\\\n]|\\.)*)/g,
]
const SQL_COMMENT = /^[ \t]*-- (.*)/gm
/** Marks that begin the lines of a block comment. */
const MARKS = /^[ \t]*\*?[ \t]*/gm

/** Returns the comments of a file. Consecutive line comments are one comment. */
function commentsIn(path: string, text: string): Sentence[] {
	const found: Sentence[] = []
	let end = -1
	for (const comment of parseSync(path, text).comments) {
		const words = comment.value.replaceAll(MARKS, '').replaceAll('\n', ' ').trim()
		const last = found.at(-1)
		const isContinued = end >= 0 && comment.type === 'Line' && /^\n[ \t]*$/.test(text.slice(end, comment.start))
		if (last !== undefined && isContinued) last.text += ` ${words}`
		else found.push({ text: words, index: comment.start })
		end = comment.type === 'Line' ? comment.end : -1
	}
	return found
}

/** Returns the captured text of each match. */
function matchesIn(text: string, pattern: RegExp): Sentence[] {
	return Array.from(text.matchAll(pattern), (match) => ({ text: match[1] ?? '', index: match.index }))
}

/** Reads code and db/citus.sql. Applied migrations must not change, and db/schema.sql is generated. */
const wordsArePlain: Rule = (file) => {
	const { path, text } = file
	if (!isCode(file) && path !== 'db/citus.sql') return []
	const patterns = isCode(file) ? [SQL_COMMENT, ...TITLES] : [SQL_COMMENT]
	const sentences = patterns.flatMap((pattern) => matchesIn(text, pattern))
	if (isCode(file)) sentences.push(...commentsIn(path, text))
	return sentences.flatMap((sentence) =>
		faultsOf(sentence.text).map((message) => ({ path, line: lineAt(text, sentence.index), message })),
	)
}

function faultsOf(sentence: string): string[] {
	const start = SUBJECTLESS.exec(sentence)
	const word = VAGUE.exec(sentence)
	return [
		start && `"${start[0]} …" has no subject: start with a noun of the code, or with "Returns", "Writes" …`,
		word && `"${word[0]}" is vague: name the person, thing or place.`,
	].filter((fault) => fault !== null)
}

export const wordRules: Rule[] = [wordsArePlain]
