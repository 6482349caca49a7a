import { readToken } from './session.ts'

const TIMEOUT_MS = 30_000

interface EarlyCall {
	token: string
	answer: Promise<Response>
}

const sent = new Map<string, EarlyCall>()
/** Time of the first early call, as `performance.now()`. */
let firstSentMs = Infinity
let answered: Promise<unknown> = Promise.resolve()

/** Sends a GET call before the code that needs it has loaded, if a user is signed in. */
export function callEarly(url: string): void {
	const token = readToken()
	if (!token) return
	firstSentMs = Math.min(firstSentMs, performance.now())
	const headers = { authorization: `Bearer ${token}` }
	const answer = fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
	sent.set(url, { token, answer })
	// The caller of `takeEarly` handles the error.
	answered = Promise.allSettled([answered, answer])
}

/** Resolves once each early call has succeeded or failed. */
export const earlyCallsAnswered = (): Promise<unknown> => answered

/**
 * Returns the answer of an early call once, for the session that sent it; undefined without an early call of this
 * session.
 */
export function takeEarly(url: string, token: string): Promise<Response> | undefined {
	const call = sent.get(url)
	sent.delete(url)
	return call?.token === token ? call.answer : undefined
}

/**
 * Drops unused early answers before they become stale. Returns the time of the first early call, or Infinity without
 * one.
 */
export function endEarlyCalls(): number {
	sent.clear()
	const sinceMs = firstSentMs
	firstSentMs = Infinity
	return sinceMs
}
