import { isCode, isTest, type Problem, type Rule, type Source } from './source.ts'

const longest_lines = 300
const most_lines = 150
const median_lines = 60
/** Fewer files than this have no meaningful median. */
const fewFiles = 20

const linesOf = ({ text }: Source) => text.split('\n').length - 1

export const notTooLong: Rule = (file) => {
	const lines = linesOf(file)
	if (!isCode(file) || lines <= longest_lines) return []
	return [
		{
			path: file.path,
			line: longest_lines,
			message: `${lines} lines, at most ${longest_lines}: split it by what its parts are about.`,
		},
	]
}

/** Nine of ten files under 150 lines, half of them under 60. */
export function checkSpread(files: Source[]): Problem[] {
	const counted = files.filter((file) => isCode(file) && !isTest(file) && /^(src|simulator)\//.test(file.path))
	if (counted.length < fewFiles) return []
	const sizes = counted.map(linesOf).toSorted((a, b) => a - b)
	const at = (share: number) => sizes[Math.floor(share * (sizes.length - 1))] ?? 0
	const over = counted.filter((file) => linesOf(file) >= most_lines).toSorted((a, b) => linesOf(b) - linesOf(a))
	const names = over.slice(0, 10).map((file) => `${file.path} (${linesOf(file)})`)
	const problems: Problem[] = []
	if (at(0.9) >= most_lines) {
		problems.push({
			path: 'src',
			line: 0,
			message: `Nine of ten files have under ${most_lines} lines; here it is ${at(0.9)}. Split ${names.join(', ')}`,
		})
	}
	if (at(0.5) >= median_lines) {
		problems.push({
			path: 'src',
			line: 0,
			message: `Half of the files have under ${median_lines} lines; here it is ${at(0.5)}. Split the larger ones.`,
		})
	}
	return problems
}
