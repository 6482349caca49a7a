import type { Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'
import { containing } from './like-pattern.ts'

/**
 * Returns the condition that a text column contains a typed text, both folded. For tables that are scanned anyway: no index
 * serves it.
 */
export function containsFolded(sql: Sql, column: Statement, search: string): Statement {
	return sql`${foldedColumn(sql, column)} like ${containing(folded(search))}`
}

/** Folds a column as `folded` does. */
const foldedColumn = (sql: Sql, column: Statement) => sql`
	translate(
		replace(replace(replace(
			lower(normalize(
				regexp_replace(
					normalize(normalize(replace(${column}, E'\\u00b4', ''''), NFKC), NFD), '[\\u0300-\\u036f]', '', 'g'
				),
				NFC
			)),
			'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
		E'\\u00f8\\u0142\\u0111\\u0131\\u2018\\u2019\\u201a\\u201b\\u02bc\\u02b9\\u0060\\u2032\\u201c\\u201d\\u201e\\u201f\\u2010\\u2011\\u2012\\u2013\\u2014\\u2015\\u2212',
		'oldi''''''''''''''''""""-------'
	)
`

/** Letters that Unicode does not decompose into a base letter and an accent. */
const FOLDED: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/**
 * Folds differences that people ignore when they search: capitals, Latin accents, curly quotes, long dashes. Vowel
 * signs of Indian scripts remain, because they are letters. `containsFolded` and migration 0070 fold in the same way.
 */
export function folded(text: string): string {
	// Phones type this accent as an apostrophe; NFKC would turn it into a space.
	const lower = text.replaceAll('\u00b4', "'").normalize('NFKC').toLowerCase()
	if (ASCII.test(lower)) return lower
	return lower
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.normalize('NFC')
		.replace(/[ßøłđæœı]/g, (letter) => FOLDED[letter] ?? letter)
		.replace(/[\u2018\u2019\u201a\u201b\u02bc\u02b9`\u2032]/g, "'")
		.replace(/[\u201c-\u201f]/g, '"')
		.replace(/[\u2010-\u2015\u2212]/g, '-')
}

// The rule against control characters does not apply: ASCII includes all of them.
const ASCII = /^[\0-\x7f]*$/
