import { AppError } from '../app-error.ts'

/** One fault of an input. `part` is the part of the request that contains `path`; the body by default. */
export interface InputIssue {
	path: readonly PropertyKey[]
	message: string
	part?: 'path' | 'query' | 'body'
}

/** A 400 for an input of the wrong shape. `issueCount` is the number of faults; `issues` contains the first ones. */
export class InvalidInput extends AppError {
	readonly issues: readonly InputIssue[]
	readonly issueCount: number

	constructor(message: string, issues: readonly InputIssue[], issueCount = issues.length) {
		const fields = Object.fromEntries(issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]))
		super({ code: 'invalid', status: 400, message, facts: {}, details: { fields } })
		this.issues = issues
		this.issueCount = issueCount
	}
}
