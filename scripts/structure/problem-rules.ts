import { findAll, isCode, isProduct, lineAt, type Problem, type Rule, type Source } from './source.ts'

const KINDS = 'src/lib/app-error.ts'
const REMEDY =
	'A refusal has a code: name it with its status and sentence in the problems.ts of its feature, and throw problem(code).'

/** Reports refusals that are not made by `problem(code)`, and sentences of refusals outside `problems.ts`. */
const refusalsHaveCodes: Rule = (file) => {
	if (!isProduct(file) || file.path === KINDS) return []
	return [
		...findAll(file, /\bnew AppError\(/g, REMEDY),
		...(file.path === 'src/lib/server/errors.ts' ? [] : findAll(file, /\bextends AppError\b/g, REMEDY)),
		...(file.name === 'problems.ts' ? [] : findAll(file, /\bproblemsOf\(\{/g, REMEDY)),
	]
}

const META_CODE = /\b13[0-5]_(?!000\b)\d{3}\b|\b131_0{3}\b/g

const metaCodesAreWhole: Rule = (file) =>
	isCode(file) ? findAll(file, META_CODE, "Write a code of Meta's in one piece, as Meta does: 131049.") : []

/** A kind begins a line of the object in `problems.ts`. */
const KIND = /^\t(\w+): \{/gm

/**
 * Reports codes that two files contain, that nothing throws, or that are not snake_case: each code has one sentence.
 */
export function faultyCodes(files: readonly Source[]): Problem[] {
	const product = files.filter(isProduct)
	const named = new Set(product.flatMap(({ text }) => Array.from(text.matchAll(/'(\w+)'/g), ([, word]) => word)))
	const firstPath = new Map<string, string>()
	return product.flatMap((file) => {
		if (file.name !== 'problems.ts' || !file.text.includes('problemsOf(')) return []
		return [...file.text.matchAll(KIND)].flatMap(({ 1: code = '', index }) => {
			const first = firstPath.get(code) ?? file.path
			firstPath.set(code, first)
			const at = { path: file.path, line: lineAt(file.text, index) }
			if (first !== file.path) return [{ ...at, message: `${first} has the code "${code}" already: name another one.` }]
			if (!named.has(code)) return [{ ...at, message: `Nothing throws "${code}": remove it.` }]
			return /^[a-z]+(?:_[a-z]+)*$/.test(code) ? [] : [{ ...at, message: `Write the code "${code}" in snake_case.` }]
		})
	})
}

export const problemRules = [refusalsHaveCodes, metaCodesAreWhole]
