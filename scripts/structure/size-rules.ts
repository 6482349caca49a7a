import { dirname } from 'node:path/posix'
import { isCode, type Problem, type Rule, type Source } from './source.ts'

const MAX_LINES = 300

const linesOf = ({ text }: Source) => text.split('\n').length - 1

export const notTooLong: Rule = (file) => {
	const lines = linesOf(file)
	if (!isCode(file) || lines <= MAX_LINES) return []
	return [
		{
			path: file.path,
			line: MAX_LINES,
			message: `${lines} lines, at most ${MAX_LINES}: split it by what its parts are about.`,
		},
	]
}

const MAX_FEATURE_LINES = 9500

/** Matches the code of a feature without the descriptions of its calls. */
const IS_FEATURE_CODE = /^src\/features\/([^/]+)\/(?!(?:.*[/-])?contract\.ts$).*(?<!\.test)\.tsx?$/

/** Reports features whose files, without tests and contracts, have more than MAX_FEATURE_LINES lines together. */
export function largeFeatures(files: Source[]): Problem[] {
	const lines = new Map<string, number>()
	for (const file of files) {
		const feature = IS_FEATURE_CODE.exec(file.path)?.[1]
		if (feature) lines.set(feature, (lines.get(feature) ?? 0) + linesOf(file))
	}
	return [...lines]
		.filter(([, count]) => count > MAX_FEATURE_LINES)
		.map(([feature, count]) => ({
			path: `src/features/${feature}`,
			line: 1,
			message: `${count} lines, at most ${MAX_FEATURE_LINES}: move a part that stands on its own into a feature before it.`,
		}))
}

const MAX_FILES = 15

const IS_COUNTED = /^(?:src|simulator|test|bench)\/.*(?<!\.(?:test|spec))\.(?:ts|tsx|css)$/

/**
 * Reports folders that hold too many files, without tests and without the files of sub-folders. The folder `scripts` is not
 * counted: it lists programs, one for each command of package.json.
 */
export function crowdedFolders(files: Source[]): Problem[] {
	const counted = files.filter(({ path }) => IS_COUNTED.test(path))
	return [...Map.groupBy(counted, ({ path }) => dirname(path))]
		.filter(([, inside]) => inside.length > MAX_FILES)
		.map(([path, { length }]) => ({
			path,
			line: 1,
			message: `${length} files, at most ${MAX_FILES}: move files that belong together into a folder with a plain noun.`,
		}))
}
