import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'

/** A file of the project, its path relative to the root and with forward slashes. */
export type Source = { path: string; name: string; text: string }
/** What is wrong where, and what to do instead. */
export type Problem = { path: string; line: number; message: string }
export type Rule = (file: Source) => Problem[]

const skippedFolders = new Set(['node_modules', '.git', 'dist', '.data', 'test-results'])
const textFile = /\.(ts|tsx|mjs|js|json|sql|md|css|html|yml|yaml|sh|svg)$|^\.[a-z]+rc$|^run$/

export function readSources(root: string, folder = ''): Source[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name)
		if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : readSources(root, path)
		if (!entry.isFile() || !textFile.test(entry.name)) return []
		const slashed = path.split(sep).join('/')
		return [{ path: slashed, name: basename(path), text: readFileSync(join(root, path), 'utf8') }]
	})
}

export const isCode = ({ path }: Source) => /\.(ts|tsx|mjs)$/.test(path)
export const isTest = ({ path }: Source) => /\.(test|spec)\.tsx?$/.test(path) || /^(test|bench)\//.test(path)
/** What the product itself is made of, which the strict rules are for. */
export const isProduct = (file: Source) => isCode(file) && !isTest(file) && file.path.startsWith('src/')
export const isInFeatureServer = ({ path }: Source) => /^src\/features\/[^/]+\/server\//.test(path)

/** One problem for each place where the pattern occurs. */
export function findAll(file: Source, pattern: RegExp, message: string): Problem[] {
	return [...file.text.matchAll(pattern)].map((match) => ({
		path: file.path,
		line: lineAt(file.text, match.index),
		message,
	}))
}

export function lineAt(text: string, index: number) {
	return text.slice(0, index).split('\n').length
}
