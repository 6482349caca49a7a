import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ZodMiniType } from 'zod/mini'
import { AppError } from '../errors.ts'
import { boundsOf, type Bounds } from './bounds.ts'
import type { Http } from './http.ts'

/** Bounds of a body that its shape does not bound more tightly: many times what most calls need. */
const SMALLEST = { bytes: 100_000, names: 5000, values: 20_000 }
/** Parsing takes some 2 µs for each name that no other object has, and 0.2 µs for each value. */
const LARGEST = { names: 250_000, values: 450_000 }
/** Fields that a call does not name are left out when it is read, so a body may have more of them than its shape. */
const TIMES_ITS_SHAPE = 2
/** Lists and objects within one another; the product's own calls use five, Meta's webhooks ten. */
const MAX_DEPTH = 32

/** Bounds of the bodies of one endpoint. `maxBytes` is less than what its shape allows. */
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
		/** Of the bodies of this route; the smallest where it has none of its own. */
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
 * Counts names, values and depth in the bytes of a JSON text, before it is parsed: `JSON.parse` takes seconds for megabytes of
 * nothing but brackets or names. Takes the text in pieces, wherever they are cut, and looks at each byte once.
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

	/** Counts the next piece. Returns what the text has too much of so far, or null. */
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

/** Returns what a JSON text has too much of, by the bounds of the largest body that any call takes; null when it fits. */
export function excessOf(text: Uint8Array): Excess | null {
	return new JsonCounter(LARGEST).add(text)
}

/** Parses a stored text that a stranger wrote. Throws where it is no JSON, or exceeds the bounds of `excessOf`. */
export function parseWithinBounds(text: string): unknown {
	if (excessOf(Buffer.from(text)) !== null) throw new Error('The JSON has too many levels, names or values')
	return JSON.parse(text)
}

/**
 * Reads JSON bodies within the bounds of their route. An empty body is undefined: many clients send the content type with
 * every call, also without a body.
 */
export function readJsonBodies(http: Http): void {
	const parse = http.getDefaultJsonParser('error', 'error')
	http.removeContentTypeParser('application/json')
	http.addContentTypeParser('application/json', (request, payload, done) => {
		// An address that no route has gets its 404 whatever it was sent.
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

/** Resolves with the text of a body. Rejects as soon as it exceeds a bound; what still comes of it is not kept. */
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
		// The error listener stays: a connection that breaks later must not end the process. What still comes is dropped.
		payload.off('data', onData).off('end', onEnd).resume()
	}
	if (!Number.isNaN(announced) && announced !== received) throw unreadable('The body is not as long as announced')
	return Buffer.concat(pieces, received).toString('utf8')
}

/** `limits` names the limits that the answer tells a program. */
export function tooLarge(limits?: Record<string, number>): AppError {
	return new AppError(413, 'This request is too large', limits)
}

/** Answered as a body that is no JSON is, unlike one whose content is refused. */
function unreadable(reason: string): Error {
	return Object.assign(new Error(reason), { statusCode: 400 })
}
