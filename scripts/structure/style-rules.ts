import { posix } from 'node:path'
import { findAll, isProduct, type Problem, type Rule, type Source } from './source.ts'

const CLASS_IN_CSS = /\.(-?[_a-zA-Z][\w-]*)/g
const MODULE_IMPORT = /^import (\w+) from '([^']+\.module\.css)'/gm
const GLOBAL_CLASSES = /\bclassName="([^"]+)"/g

/**
 * Reports classes that no stylesheet defines: properties of a CSS module, which the compiler accepts with any name, and literal
 * class names, which the global stylesheets must define.
 */
export function unknownClasses(files: Source[]): Problem[] {
	const sheets = new Map(files.filter(({ path }) => path.endsWith('.css')).map((file) => [file.path, classesOf(file)]))
	const known = new Set([...sheets].flatMap(([path, classes]) => (path.endsWith('.module.css') ? [] : [...classes])))
	return files.filter(isProduct).flatMap((file) => [...unknownInModules(file, sheets), ...unknownGlobals(file, known)])
}

function unknownInModules(file: Source, sheets: Map<string, Set<string>>): Problem[] {
	return [...file.text.matchAll(MODULE_IMPORT)].flatMap(([, name = '', specifier = '']) => {
		const sheet = pathOf(file, specifier)
		const classes = sheets.get(sheet)
		const dynamic = findAll(file, new RegExp(`\\b${name}\\[`, 'g'), `Write ${name}.className, which can be checked.`)
		const used = new RegExp(`\\b${name}\\.(\\w+)`, 'g')
		const unknown = findAll(file, used, `There is no such class in ${sheet}: define it there, or leave it out.`)
		const isKnown = [...file.text.matchAll(used)].map(([, className = '']) => classes?.has(className))
		return [...dynamic, ...unknown.filter((_, index) => !isKnown[index])]
	})
}

function unknownGlobals(file: Source, known: Set<string>): Problem[] {
	const message = 'There is no such class in a global stylesheet: define it there, or use a CSS module.'
	const isKnown = [...file.text.matchAll(GLOBAL_CLASSES)].map(([, names = '']) =>
		names.split(' ').every((name) => known.has(name)),
	)
	return findAll(file, GLOBAL_CLASSES, message).filter((_, index) => !isKnown[index])
}

function pathOf({ path }: Source, specifier: string): string {
	const inner = specifier.replace(/^#(app|features|lib)\//, 'src/$1/')
	return inner === specifier ? posix.join(posix.dirname(path), specifier) : inner
}

function classesOf({ text }: Source): Set<string> {
	const rules = text.replaceAll(/\/\*[^]*?\*\/|"[^"\n]*"|'[^'\n]*'/g, '')
	return new Set([...rules.matchAll(CLASS_IN_CSS)].map(([, name = '']) => name))
}

const READ_BACK =
	/\.format\([^\n]*\)\s*\??\.\s*(?:split|slice|replace|replaceAll|substring|match|at)\(|DateTimeFormat\(\s*'(?!en-IN|en-GB)/g

/** Reports code that reads formatted dates: browsers format one locale in different ways, and WebKit's en-CA is no ISO date. */
const formatsAreShown: Rule = (file) =>
	isProduct(file)
		? findAll(file, READ_BACK, 'A format is for people: take indianDay or another function of lib/dates.ts.')
		: []

/** Reports `maxLength`: it counts UTF-16 units, the server code points, and it cuts pasted text without notice. */
const lengthsCountCodePoints: Rule = (file) =>
	isProduct(file)
		? findAll(
				file,
				/\bmaxLength=/g,
				'An input takes text of any length: name its limit with limited of lib/web/limited.ts.',
			)
		: []

export const styleRules = [formatsAreShown, lengthsCountCodePoints]
