import { readToken } from './session.ts'

const TIMEOUT_MS = 30_000

interface EarlyCall {
	token: string
	answer: Promise<Response>
}

const sent = new Map<string, EarlyCall>()
/** When the first of them was sent, as `performance.now()`. */
let firstSentMs = Infinity
let answered: Promise<unknown> = Promise.resolve()

/** Makes a GET call for code that is still on its way, if somebody is signed in. */
export function callEarly(url: string): void {
	const token = readToken()
	if (!token) return
	firstSentMs = Math.min(firstSentMs, performance.now())
	const headers = { authorization: `Bearer ${token}` }
	const answer = fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
	sent.set(url, { token, answer })
	// Whoever takes it says what failed.
	answered = Promise.allSettled([answered, answer])
}

/** Resolves once each early call has an answer or has failed. */
export const earlyCallsAnswered = (): Promise<unknown> => answered

/** The answer, once, for the session that it was asked for. */
export function takeEarly(url: string, token: string): Promise<Response> | undefined {
	const call = sent.get(url)
	sent.delete(url)
	return call?.token === token ? call.answer : undefined
}

/** Drops what the first screen has not taken, before it goes stale. Returns since when the page has been making early calls. */
export function endEarlyCalls(): number {
	sent.clear()
	const sinceMs = firstSentMs
	firstSentMs = Infinity
	return sinceMs
}
