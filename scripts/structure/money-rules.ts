import { findAll, isCode, isTest, type Problem, type Rule, type Source } from './source.ts'

const MONEY_MODULE = 'src/lib/money.ts'
const MONEY_REMEDY =
	'Money is integer paise: read it with paiseFromRupees, show it with rupeesFromPaise and formatRupees.'

/** Code that can produce a fraction of a paisa, or that converts rupees to paise by arithmetic. */
const FRACTIONS = [
	/\bparseFloat\(/g,
	/\.toFixed\(/g,
	// A division of an amount in paise, or a multiplication by a decimal factor.
	/\b\w*[pP]aise\b\s*\/(?![/*])/g,
	/\b\w*[pP]aise\b\s*\*\s*\d*\.\d/g,
	/\b\d*\.\d+\s*\*\s*\w*[pP]aise\b/g,
	// Rupees are converted to paise by reading their digits, never by 0.29 * 100, which is 28.999999999999996.
	/\b(?:Math\.\w+|Number)\([^()\n]*\b\w*(?:rupees|amount|balance|price|cost)\w*\b[^()\n]*\)/gi,
	/\b\w*(?:rupees|amount|balance|price|cost)\b\s*[*/]\s*1_?0{1,3}\b/gi,
	/\b1_?0{1,3}\s*\*\s*\w*(?:rupees|amount|balance|price|cost)\b/gi,
]

const noFloatTouchesMoney: Rule = (file) => {
	const isMoneyCode = isCode(file) && !isTest(file) && file.path.startsWith('src/') && file.path !== MONEY_MODULE
	if (!isMoneyCode) return []
	const lines = file.text.split('\n')
	const found = FRACTIONS.flatMap((pattern) => findAll(file, pattern, MONEY_REMEDY))
	return found.filter(({ line }) => isAboutMoney(lines[line - 1] ?? '') && !isCompared(lines[line - 1] ?? ''))
}

/** Returns true if the line names money. Other lines may divide, such as the share of a bar on a screen. */
function isAboutMoney(line: string): boolean {
	return /paise|rupees|amount|balance|price|cost/i.test(line)
}

/** Returns true for `Math.abs(rupees)`, which compares and changes no amount. */
function isCompared(line: string): boolean {
	return /Math\.abs\(/.test(line) && !/\/|\*/.test(line)
}

const columnsHoldPaise: Rule = (file) => {
	if (!/^db\/migrations\/.*\.sql$/.test(file.path)) return []
	const float =
		/\b(?:\w*_paise\s+(?!integer\b|bigint\b|\w*_paise\b)(?:\w+)|\w*(?:amount|price|balance|rupees|cost)\w*\s+(?:numeric|decimal|real|float\d*|double precision|money)\b).*/gi
	const message = 'A column of money is integer or bigint and its name ends in _paise.'
	return findAll(file, float, message).filter((problem) => isColumn(file, problem))
}

/** Returns true if the problem is in the declaration of a column, where the name comes first on the line. */
function isColumn(file: Source, { line }: Problem): boolean {
	const text = file.text.split('\n')[line - 1] ?? ''
	return /^\s*(?:alter table \w+ add column |add column )?\w+ (?:numeric|decimal|real|float\d*|double precision|money|text|varchar|smallint)\b/i.test(
		text,
	)
}

export const moneyRules = [noFloatTouchesMoney, columnsHoldPaise]
