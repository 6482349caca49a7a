import { readToken } from './session.ts'

const TIMEOUT_MS = 30_000

interface EarlyCall {
	token: string
	answer: Promise<Response>
}

const sent = new Map<string, EarlyCall>()
/** When the first of them was sent, as `performance.now()`. */
let firstSentMs = Infinity

/** Makes a GET call for code that is still on its way, if somebody is signed in. */
export function callEarly(url: string): void {
	const token = readToken()
	if (!token) return
	firstSentMs = Math.min(firstSentMs, performance.now())
	const headers = { authorization: `Bearer ${token}` }
	const answer = fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
	// Whoever takes it says what failed.
	answer.catch(() => {})
	sent.set(url, { token, answer })
}

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
