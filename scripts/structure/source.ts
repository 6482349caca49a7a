import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'

/** A file of the project. Its path is relative to the root, with forward slashes. */
export interface Source {
	path: string
	name: string
	text: string
}

/** A violation of a rule. The message names the remedy. */
export interface Problem {
	path: string
	line: number
	message: string
}

export type Rule = (file: Source) => Problem[]

const SKIPPED_FOLDERS = new Set(['node_modules', '.git', 'dist', '.data', 'test-results'])
const TEXT_FILE = /\.(ts|tsx|mjs|js|json|sql|md|css|html|yml|yaml|sh|svg)$|^\.[a-z]+rc$|^run$/

export function readSources(root: string, folder = ''): Source[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name)
		if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : readSources(root, path)
		if (!entry.isFile() || !TEXT_FILE.test(entry.name)) return []
		const slashed = path.split(sep).join('/')
		return [{ path: slashed, name: basename(path), text: readFileSync(join(root, path), 'utf8') }]
	})
}

export const isCode = ({ path }: Source) => /\.(ts|tsx|mjs)$/.test(path)
export const isTest = ({ path }: Source) => /\.(test|spec)\.tsx?$/.test(path) || /^(test|bench)\//.test(path)
/** Returns true for the product's own code without tests, to which the strict rules apply. */
export const isProduct = (file: Source) => isCode(file) && !isTest(file) && file.path.startsWith('src/')
export const isInFeatureServer = ({ path }: Source) => /^src\/features\/[^/]+\/server\//.test(path)

/** Returns one problem for each match of the pattern. */
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
