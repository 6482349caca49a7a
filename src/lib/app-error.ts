/** The parts of a refusal, as one process or thread sends them to another. */
export interface Refused {
	/** Stable name of the refusal, the same in every language and release. */
	code: string
	/** HTTP status of the answer. */
	status: number
	/** The sentence that users read. */
	message: string
	/** The values in the sentence. */
	facts: Readonly<Record<string, unknown>>
	/** Further fields of the answer, beside code and message. */
	details: Readonly<Record<string, unknown>>
}

/** An answer for the caller, made by a feature's `problem`. Any other thrown error is a bug. */
export class AppError extends Error implements Refused {
	override readonly name = 'AppError'
	readonly code: string
	readonly status: number
	readonly facts: Refused['facts']
	readonly details: Refused['details']

	constructor({ code, status, message, facts, details }: Refused) {
		super(message)
		this.code = code
		this.status = status
		this.facts = facts
		this.details = details
	}

	/** Returns the fields that `JSON.stringify` writes; `reviveProblem` reads them on the other side. */
	toJSON(): Refused {
		const { code, status, message, facts, details } = this
		return { code, status, message, facts, details }
	}
}

/** One kind of refusal. `Facts` are the values in its sentence. */
interface Kind<Facts> {
	status: number
	text: string | ((facts: Facts) => string)
	/** Form field that the sentence is about: the answer repeats the sentence in `fields` under this name. */
	field?: string | ((facts: NoInfer<Facts>) => string | undefined)
	/** Facts that are also fields of the answer. */
	shows?: readonly (keyof NoInfer<Facts> & string)[]
}

/** The kinds of refusals of one `problems.ts`: the facts of each code. */
type Kinds<F> = { readonly [Code in keyof F]: Kind<F[Code]> }

/**
 * Returns a function that makes the error of a code: `throw problem('balance_short', { needed, available })`. Each
 * feature calls this once, in its `problems.ts`.
 */
export function problemsOf<F>(kinds: Kinds<F>) {
	return <Code extends keyof F & string>(
		code: Code,
		...[given]: unknown extends F[Code] ? [] : [facts: F[Code]]
	): AppError => {
		const { status, text, field, shows = [] } = kinds[code]
		const facts = (given ?? {}) as F[Code]
		const message = typeof text === 'string' ? text : text(facts)
		const name = typeof field === 'function' ? field(facts) : field
		const details = {
			...(name !== undefined && { fields: { [name]: message } }),
			...Object.fromEntries(shows.map((fact) => [fact, facts[fact]])),
		}
		return new AppError({ code, status, message, facts: facts as Refused['facts'], details })
	}
}

/** Returns the error of a refusal from another process or thread. */
export function reviveProblem(refused: Refused): AppError {
	return new AppError(refused)
}

/** Returns true for an `AppError` with this code. */
export function isProblem(error: unknown, code: string): error is AppError {
	return error instanceof AppError && error.code === code
}
