import { problem } from '#features/developer/problems.ts'
import { AppError } from '#lib/app-error.ts'
import { InvalidInput, type InputIssue } from '#lib/server/errors.ts'

/** A fault of a request: its place as a JSON pointer, in the body unless `in` names another part, and its description. */
export interface Fault {
	path: string
	detail: string
	in?: 'path' | 'query'
}

/** Returns a fault at a place of the body, or of another part of the request. */
export function faultAt(path: readonly PropertyKey[], detail: string, part: InputIssue['part'] = 'body'): Fault {
	const parts = path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
	return { path: parts.join(''), detail, ...(part !== 'body' && { in: part }) }
}

/** Returns the faults that an error lists; none for an error of another kind. */
export function faultsOf(error: unknown): readonly Fault[] {
	if (error instanceof InvalidInput) return error.issues.map(({ path, message, part }) => faultAt(path, message, part))
	const named = error instanceof AppError ? error.details?.['errors'] : undefined
	return Array.isArray(named) ? (named as Fault[]) : []
}

type RefusalOfFaults =
	| 'invalid'
	| 'recipient_listed'
	| 'recipient_opted_out'
	| 'recipient_unpriced'
	| 'template_not_usable'

/** Returns the 422 that refuses a request for these faults. */
export function invalid(faults: readonly Fault[], code: RefusalOfFaults = 'invalid'): AppError {
	return problem(code, { reason: faults[0]?.detail ?? 'The request is not valid', errors: faults })
}
