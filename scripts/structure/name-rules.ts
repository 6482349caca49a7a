import { FEATURES, PUBLIC_FILES } from './features.ts'
import { isCode, isProduct, type Problem, type Rule, type Source } from './source.ts'

const CATCH_ALL = /(?:^|\/)(?:utils?|helpers?|common|misc|shared)(?:\/|\.[a-z.]+$)/
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)+$/

const knownFeatures: Rule = (file) => {
	const feature = /^src\/features\/([^/]+)\//.exec(file.path)?.[1]
	if (feature === undefined || FEATURES.includes(feature)) return []
	const message = `"${feature}" is not a known feature: give it its place in the order in scripts/structure/features.ts.`
	return [{ path: file.path, line: 1, message }]
}

/** Reports public files that no other feature imports or that do not exist. */
export function unneededPublicFiles(files: Source[]): Problem[] {
	const path = 'scripts/structure/features.ts'
	if (!files.some((file) => file.path === path)) return []
	const imported = new Set(files.filter(isProduct).flatMap(importsOf))
	return Object.entries(PUBLIC_FILES).flatMap(([feature, names]) =>
		names
			.filter((name) => !imported.has(`${feature}/${name}`))
			.map((name) => ({ path, line: 1, message: `No other feature imports "${name}" of ${feature}: remove it.` })),
	)
}

/** Returns the files of other features that a file imports, as `feature/name`. */
function importsOf({ path, text }: Source): string[] {
	if (!path.startsWith('src/features/')) return []
	return [...text.matchAll(/'#features\/([^/']+)\/([^']+)'/g)].flatMap(([, feature = '', name = '']) =>
		name.includes('/') && path.startsWith(`src/features/${feature}/`) ? [] : [`${feature}/${name}`],
	)
}

const noCatchAlls: Rule = (file) => {
	if (!isCode(file)) return []
	const at = { path: file.path, line: 1 }
	const catchAll = CATCH_ALL.test(file.path)
		? [{ ...at, message: 'A catch-all: name the file for the thing it is about.' }]
		: []
	const barrel = /^index\.(ts|tsx|mjs)$/.test(file.name)
		? [
				{
					...at,
					message: 'A barrel: import each thing from the file that defines it, and name files for what they hold.',
				},
			]
		: []
	const spelled = KEBAB_CASE.test(file.name) ? [] : [{ ...at, message: 'File names are kebab-case: contact-list.tsx' }]
	return [...catchAll, ...barrel, ...spelled]
}

export const nameRules = [knownFeatures, noCatchAlls]
