import { isCode, type Rule, type Source } from './source.ts'

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
