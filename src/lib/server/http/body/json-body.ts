import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ZodMiniType } from 'zod/mini'
import { AppError } from '#lib/app-error.ts'
import { problem } from '#lib/problems.ts'
import type { Http } from '../http.ts'
import { boundsOf, type Bounds } from './bounds.ts'

/** Minimum bounds of every body, many times the size that most calls need. */
const SMALLEST = { bytes: 100_000, names: 5000, values: 20_000 }
/** Maximum bounds of every body. Parsing takes some 2 µs per distinct name and 0.2 µs per value. */
const LARGEST = { names: 250_000, values: 450_000 }
/**
 * Factor between the counts of a shape and those of its body. A body may have fields that its shape does not name; reading
 * drops them.
 */
const TIMES_ITS_SHAPE = 2
/** Maximum nesting of lists and objects. The product's own calls use five levels, Meta's webhooks ten. */
const MAX_DEPTH = 32

/** Returns the bounds of an endpoint's bodies. `maxBytes` may be less than the shape allows. */
export function bodyBounds(shape: ZodMiniType | undefined, { path, maxBytes = Infinity }: BoundedCall): Bounds {
	const { bytes, names, values } = boundsOf(shape, `body of ${path}`)
	const between = (name: 'names' | 'values', count: number) =>
		Math.max(SMALLEST[name], Math.min(count * TIMES_ITS_SHAPE, LARGEST[name]))
	return {
		bytes: Math.max(SMALLEST.bytes, Math.min(bytes, maxBytes)),
		names: between('names', names),
		values: between('values', values),
	}
}

interface BoundedCall {
	path: string
	maxBytes?: number | undefined
}

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Bounds of this route's bodies; `SMALLEST` by default. */
		bounds?: Bounds
	}
}

type Excess = 'depth' | 'size'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Counts names, values and depth in the bytes of a JSON text before it is parsed, since `JSON.parse` takes seconds for
 * megabytes of brackets or names. Accepts the text in pieces cut anywhere, and reads each byte once.
 */
export class JsonCounter {
	readonly #bounds: Pick<Bounds, 'names' | 'values'>
	#names = 0
	#values = 1
	#depth = 0
	#isInText = false
	#isEscaped = false

	constructor(bounds: Pick<Bounds, 'names' | 'values'>) {
		this.#bounds = bounds
	}

	/** Counts the next piece. Returns the kind of excess when the text so far exceeds a bound, otherwise null. */
	add(piece: Uint8Array): Excess | null {
		for (let index = 0; index < piece.length; index++) {
			const byte = piece[index] as number
			if (this.#isInText) this.#passText(byte)
			else if (byte === QUOTE) this.#isInText = true
			else if (byte === COMMA) this.#values++
			else if (byte === COLON) this.#names++
			else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--
			else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
				this.#values++
				if (++this.#depth > MAX_DEPTH) return 'depth'
			}
		}
		return this.#names > this.#bounds.names || this.#values > this.#bounds.values ? 'size' : null
	}

	#passText(byte: number): void {
		if (this.#isEscaped) this.#isEscaped = false
		else if (byte === BACKSLASH) this.#isEscaped = true
		else if (byte === QUOTE) this.#isInText = false
	}
}

/** Returns the kind of excess when a JSON text exceeds `LARGEST` or the maximum depth; null when it fits. */
export function excessOf(text: Uint8Array): Excess | null {
	return new JsonCounter(LARGEST).add(text)
}

/** Parses a stored text of untrusted origin. Throws when it is not JSON or exceeds the bounds of `excessOf`. */
export function parseWithinBounds(text: string): unknown {
	if (excessOf(Buffer.from(text)) !== null) throw new Error('The JSON has too many levels, names or values')
	return JSON.parse(text)
}

/**
 * Makes the server read JSON bodies within the bounds of their route. An empty body is read as undefined, since many clients
 * send the content type without a body.
 */
export function readJsonBodies(http: Http): void {
	const parse = http.getDefaultJsonParser('error', 'error')
	http.removeContentTypeParser('application/json')
	http.addContentTypeParser('application/json', (request, payload, done) => {
		// An address without a route returns 404 for any body.
		if (request.is404) return done(null)
		receive(request, payload).then(
			(body) => {
				if (body === '') done(null)
				else void parse(request, body, done)
			},
			(error: Error) => done(error),
		)
	})
}

export const BODY_LIMIT = SMALLEST.bytes

/** Resolves with the text of a body. Rejects as soon as it exceeds a bound, and drops the rest. */
async function receive(request: FastifyRequest, payload: IncomingMessage): Promise<string> {
	const { bytes, ...counts } = request.routeOptions.config.bounds ?? SMALLEST
	const announced = Number(request.headers['content-length'] ?? Number.NaN)
	if (announced > bytes) throw tooLarge()
	const counter = new JsonCounter(counts)
	const pieces: Buffer[] = []
	let received = 0
	const reading = Promise.withResolvers<void>()
	const onData = (piece: Buffer) => {
		received += piece.length
		if (received > bytes) return reading.reject(tooLarge())
		const excess = counter.add(piece)
		if (excess === null) return pieces.push(piece)
		const limits = { maxNames: counts.names, maxValues: counts.values }
		return reading.reject(excess === 'size' ? tooLarge(limits) : unreadable('This JSON is nested too deeply'))
	}
	const onEnd = () => reading.resolve()
	const onError = (error: Error) => reading.reject(unreadable(error.message))
	payload.on('data', onData).on('end', onEnd).on('error', onError)
	try {
		await reading.promise
	} finally {
		// Keeps the error listener, because a connection that breaks later would otherwise end the process. `resume` drops the
		// rest of the body.
		payload.off('data', onData).off('end', onEnd).resume()
	}
	if (!Number.isNaN(announced) && announced !== received) throw unreadable('The body is not as long as announced')
	return Buffer.concat(pieces, received).toString('utf8')
}

/** Returns a 413. `limits` names the exceeded limits for a program. */
export function tooLarge(limits: { maxNames?: number; maxValues?: number } = {}): AppError {
	return problem('too_large', limits)
}

/** Returns an error that is answered like a body that is not JSON. */
function unreadable(reason: string): Error {
	return Object.assign(new Error(reason), { statusCode: 400 })
}
