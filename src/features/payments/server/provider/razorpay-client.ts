import { Pool } from 'undici'
import * as z from 'zod/mini'
import { Text } from '#lib/fields.ts'
import { parseJson } from '#lib/text/parse-json.ts'
import { ProviderError } from './provider.ts'

export interface RazorpayKeys {
	url: string
	keyId: string
	keySecret: string
}

/** Milliseconds for a connection, and for a whole call: a payer waits for the page meanwhile. */
const CONNECT_TIMEOUT_MS = 5000
const CALL_TIMEOUT_MS = 12_000
const CONNECTIONS = 8
/** Maximum bytes of an answer; a page of 100 disputes has some 150 kB. */
const MAX_ANSWER_BYTES = 2_000_000
const MAX_SHOWN_CHARACTERS = 200

/** Client of Razorpay's REST API with keep-alive connections. */
export class RazorpayClient {
	readonly #pool: Pool
	readonly #prefix: string
	readonly #authorization: string

	constructor({ url, keyId, keySecret }: RazorpayKeys) {
		const { origin, pathname } = new URL(url)
		this.#prefix = pathname.replace(/\/$/, '')
		this.#authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
		this.#pool = new Pool(origin, {
			connections: CONNECTIONS,
			connect: { timeout: CONNECT_TIMEOUT_MS },
			headersTimeout: CALL_TIMEOUT_MS,
			bodyTimeout: CALL_TIMEOUT_MS,
		})
	}

	/** Calls the API and returns the parsed JSON of a success. Throws a `ProviderError` for anything else. */
	async call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
		const { status, text } = await this.#send(method, path, body).catch((cause: unknown) => {
			throw new ProviderError(`Razorpay did not answer ${method} ${path}`, { cause })
		})
		const json = parseJson(text)
		if (status >= 200 && status < 300 && json !== undefined) return json
		throw new ProviderError(`Razorpay answered ${status}: ${descriptionOf(json)}`, { status })
	}

	/** Aborts calls in progress. */
	close(): Promise<void> {
		return this.#pool.destroy()
	}

	async #send(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; text: string }> {
		const answer = await this.#pool.request({
			method,
			path: this.#prefix + path,
			headers: { authorization: this.#authorization, ...(body && { 'content-type': 'application/json' }) },
			body: body ? JSON.stringify(body) : null,
			// Also bounds an answer that arrives byte by byte.
			signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
		})
		const chunks: Buffer[] = []
		let bytes = 0
		for await (const chunk of answer.body as AsyncIterable<Buffer>) {
			bytes += chunk.length
			if (bytes > MAX_ANSWER_BYTES) throw new Error(`more than ${MAX_ANSWER_BYTES} bytes`)
			chunks.push(chunk)
		}
		return { status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') }
	}
}

export const Paise = z.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER))
export const ShortText = Text(500)

/** Returns an answer in its shape; throws a `ProviderError` for another one. */
export function readAnswer<T extends z.ZodMiniType>(shape: T, answer: unknown): z.output<T> {
	const result = shape.safeParse(answer)
	if (result.success) return result.data
	throw new ProviderError(`Razorpay's answer could not be read: ${z.prettifyError(result.error).slice(0, 300)}`)
}

/** Returns Razorpay's description of an error for the log, shortened. */
function descriptionOf(json: unknown): string {
	const description = (json as { error?: { description?: unknown } } | null | undefined)?.error?.description
	return typeof description === 'string' ? description.slice(0, MAX_SHOWN_CHARACTERS) : 'no description'
}
