import { isCode, isTest, type Problem, type Rule, type Source } from './source.ts'

const MAX_LINES = 300
const MAX_P90_LINES = 150
const MAX_MEDIAN_LINES = 60
/** Below this number of files, a median means nothing. */
const MIN_FILES = 20

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

/** Nine of ten files under 150 lines, half of them under 60. */
export function checkSpread(files: Source[]): Problem[] {
	const counted = files.filter((file) => isCode(file) && !isTest(file) && /^(src|simulator)\//.test(file.path))
	if (counted.length < MIN_FILES) return []
	const sizes = counted.map(linesOf).toSorted((a, b) => a - b)
	const at = (share: number) => sizes[Math.floor(share * (sizes.length - 1))] ?? 0
	const over = counted.filter((file) => linesOf(file) >= MAX_P90_LINES).toSorted((a, b) => linesOf(b) - linesOf(a))
	const names = over.slice(0, 10).map((file) => `${file.path} (${linesOf(file)})`)
	const problems: Problem[] = []
	if (at(0.9) >= MAX_P90_LINES) {
		problems.push({
			path: 'src',
			line: 0,
			message: `Nine of ten files have under ${MAX_P90_LINES} lines; here it is ${at(0.9)}. Split ${names.join(', ')}`,
		})
	}
	if (at(0.5) >= MAX_MEDIAN_LINES) {
		problems.push({
			path: 'src',
			line: 0,
			message: `Half of the files have under ${MAX_MEDIAN_LINES} lines; here it is ${at(0.5)}. Split the larger ones.`,
		})
	}
	return problems
}
