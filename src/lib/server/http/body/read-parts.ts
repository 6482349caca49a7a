import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#lib/endpoint.ts'
import { problem } from '#lib/problems.ts'
import { InvalidInput, type InputIssue } from '#lib/server/errors.ts'
import { createReader, MAX_ISSUES, type InputReader, type ReadInput } from './read-lists.ts'
import type { ReceivedForm } from './uploads.ts'

const MAX_NAME_LENGTH = 100

/** Shape of a missing part of a program's call: any field in it is refused. */
const NOTHING = z.strictObject({})

interface Parts {
	params: unknown
	query: unknown
	body: unknown
}

/** Reads path, query and body of a request. Rejects with InvalidInput, which lists the faults of all three parts. */
export type PartsReader = (request: FastifyRequest, form: ReceivedForm | null) => Promise<Parts>

export function createPartsReader(endpoint: Endpoint): PartsReader {
	const isProgram = endpoint.access === 'key'
	const { params, query = isProgram ? NOTHING : undefined, body = isProgram ? NOTHING : undefined } = endpoint
	const readers = { path: readerOf(params), query: readerOf(query), body: readerOf(body) }
	return async (request, form) => {
		const found = new FoundIssues()
		const read = async (part: NonNullable<InputIssue['part']>, value: unknown) => {
			const result = await readers[part]?.(value)
			if (result) found.add(part, result)
			return result?.data
		}
		const parts = {
			params: await read('path', request.params),
			query: await read('query', request.query),
			body: await read('body', form ? form.fields : (request.body ?? {})),
		}
		found.refuse()
		return parts
	}
}

function readerOf(shape: z.ZodMiniType | undefined): InputReader | undefined {
	return shape && createReader(shape)
}

/** Collects the faults of a request. Keeps the first `MAX_ISSUES` and counts the others. */
class FoundIssues {
	readonly #issues: InputIssue[] = []
	#count = 0
	#message = ''

	add(part: NonNullable<InputIssue['part']>, { issues, issueCount }: ReadInput): void {
		const [first] = issues
		if (part === 'body' && first?.code === 'invalid_type' && first.path.length === 0)
			throw problem('body_not_an_object')
		for (const issue of issues) {
			if (issue.code === 'unrecognized_keys')
				for (const key of issue.keys)
					this.#keep({ part, path: [...issue.path, shorten(key)], message: unknownName(key, part) })
			else this.#keep({ part, path: issue.path.map(shorten), message: issue.message }, issue.code)
		}
		this.#count += issueCount - issues.length
	}

	#keep(issue: InputIssue, code?: string): void {
		if (this.#count++ === 0) {
			const { path, message } = issue
			const isNamed = code === undefined || code === 'custom' || path.length === 0 || !isStock(message)
			this.#message = isNamed ? message : `${path.join('.')}: ${message}`
		}
		if (this.#issues.length < MAX_ISSUES) this.#issues.push(issue)
	}

	refuse(): void {
		if (this.#count > 0) throw new InvalidInput(this.#message, this.#issues, this.#count)
	}
}

function unknownName(key: string, part: InputIssue['part']): string {
	return `There is no ${part === 'query' ? 'query parameter' : 'field'} "${shorten(key)}" here`
}

function shorten<T extends PropertyKey>(name: T): T | string {
	return typeof name === 'string' && name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
}

/** Returns true for a default message of zod, which does not name the field. */
function isStock(message: string): boolean {
	return /^(Invalid (input|option|string|number|key|value|element|ISO)|Too (small|big):)/.test(message)
}
