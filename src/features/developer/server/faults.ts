import { AppError } from '#lib/server/errors.ts'

/** A fault of a request: where it is in the body, as a JSON pointer, and what is wrong. */
export interface Fault {
	path: string
	detail: string
}

/** A fault at this place of the body. */
export function faultAt(path: readonly PropertyKey[], detail: string): Fault {
	const parts = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
	return { path: parts.join(''), detail }
}

/** Refuses a request for what it holds. */
export function invalid(faults: readonly Fault[], code = 'invalid'): AppError {
	const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
	return new AppError(422, `${faults[0]?.detail ?? 'The request is not valid'}${more}`, { code, errors: faults })
}
