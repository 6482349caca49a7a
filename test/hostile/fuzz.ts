import { createHmac } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { contract } from '#app/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { apiKey, contact, template } from '../factories.ts'
import { startTestApp, type TestApp } from '../http-app.ts'
import { createRandom, hostileRequests, type HostileRequest } from './hostile-requests.ts'
import { oversizedRequests } from './oversized-requests.ts'
import { beyondBounds, worstBodies } from './worst-bodies.ts'

export interface FuzzOptions {
	seed: number
	requests: number
	/** Share of the oversized requests that are sent; 1 sends all. */
	largeShare: number
	log?: (line: string) => void
}

export interface FuzzResult {
	/** Number of requests by status. */
	statuses: Record<number, number>
	/** Requests whose answer does not come from the product's own code, each with that answer. */
	faults: string[]
	/**
	 * Longest time for which the thread of server and client was busy without a pause: its processor time, and by the clock.
	 */
	longestTurnMs: number
	longestDelayMs: number
	/** Heap after a collection, in MB: after the first tenth of the requests, and at the end. */
	heapBefore: number
	heapAfter: number
}

/** Number of concurrent requests, as browsers send them. */
const CLIENTS = 4
const TICK_MS = 10

const endpoints = Object.values(contract).flatMap((calls) => Object.values(calls) as Endpoint[])

/** Sends requests generated from the contract to a new server: first the oversized ones, then those with hostile values. */
export async function runFuzz({ seed, requests, largeShare, log }: FuzzOptions): Promise<FuzzResult> {
	const app = await startTestApp({ simulator: true })
	try {
		const random = createRandom(seed)
		const people = createPeople(app)
		const hostile = hostileRequests(endpoints, random)
		const result: FuzzResult = {
			statuses: {},
			faults: [],
			longestTurnMs: 0,
			longestDelayMs: 0,
			heapBefore: 0,
			heapAfter: 0,
		}
		let sent = 0
		const send = async (request: HostileRequest) => {
			sent++
			const { status, fault } = await outcomeOf(app, people, request)
			result.statuses[status] = (result.statuses[status] ?? 0) + 1
			if (fault !== null) result.faults.push(`${describe(request)} → ${fault}`)
		}
		await atOnce(take(hostile, requests / 10), send)
		result.heapBefore = await heapAfterCollection()
		const busy = watchThread()
		const isSent = () => random.chance(largeShare)
		const large = [oversizedRequests(endpoints, random), worstBodies(endpoints)]
		for (const makers of large)
			await inTurn(
				makers.filter(isSent).map((make) => make()),
				send,
			)
		await inTurn(worstDeliveries(await webhookOf(app, people)), send)
		log?.(`${sent} requests so far: ${JSON.stringify(result.statuses)}`)
		await atOnce(take(hostile, requests - sent), send)
		Object.assign(result, busy.stop())
		result.heapAfter = await heapAfterCollection()
		return result
	} finally {
		await app.close()
	}
}

type Send = (request: HostileRequest) => Promise<void>

async function atOnce(requests: Iterator<HostileRequest>, send: Send): Promise<void> {
	await Promise.all(Array.from({ length: CLIENTS }, () => inTurn(requests, send)))
}

/** Sends one request after the other, so that a turn of the thread belongs to one of them. */
async function inTurn(requests: Iterator<HostileRequest>, send: Send): Promise<void> {
	for (let next = requests.next(); !next.done; next = requests.next()) await send(next.value)
}

/** Yields the next `count` requests. The iterator's own `take` would end it. */
function* take(requests: Iterator<HostileRequest>, count: number): Generator<HostileRequest> {
	for (let index = 0; index < count; index++) yield requests.next().value as HostileRequest
}

type Caller = NonNullable<HostileRequest['as']>
type People = (caller: Caller, isGone?: boolean) => Promise<{ token: string }>

/** Creates callers with data. A caller is replaced by a new one when a request has deleted it or ended its session. */
function createPeople(app: TestApp): People {
	const people: Partial<Record<Caller, Promise<{ token: string }>>> = {}
	const signIn = async (caller: Caller) => {
		const person = await app.signIn(caller === 'admin' ? 'admin' : 'user')
		await contact(app.context.db, person.accountId)
		await template(app.context.db, person.accountId)
		return caller === 'key' ? apiKey(app.context.db, person) : person
	}
	return (caller, isGone = false) => {
		if (isGone) delete people[caller]
		return (people[caller] ??= signIn(caller))
	}
}

const DELIVERY_BYTES = 3_000_000

interface Webhook {
	path: string
	secret: string
}

/** Saves a sender. Returns the path that Meta calls for it. */
async function webhookOf(app: TestApp, people: People): Promise<Webhook> {
	const { token } = await people('admin', true)
	const { userId } = await app.signIn('user')
	const body = await app.simulator.control.createAccount()
	const saved = await app.call(whatsapp.saveCredentials, { params: { userId }, body }, { token })
	return { path: new URL(saved.body.credentials.webhookUrl).pathname, secret: body.app_secret }
}

/** Yields deliveries of the worst shapes in the largest size that Meta sends, with a right and with a wrong signature. */
function* worstDeliveries({ path, secret }: Webhook): Generator<HostileRequest> {
	for (const make of beyondBounds(DELIVERY_BYTES)) {
		const body = make()
		for (const key of [secret, 'wrong']) {
			const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
			const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
			yield { as: null, method: 'POST', path, headers, body }
		}
	}
}

async function outcomeOf(
	app: TestApp,
	people: People,
	request: HostileRequest,
): Promise<{ status: number; fault: string | null }> {
	const token = request.as === null ? null : (await people(request.as)).token
	const response = await fetch(app.url + request.path, {
		method: request.method,
		headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...request.headers },
		...(request.body !== undefined && { body: request.body }),
	}).catch((error: Error & { cause?: Error & { code?: string } }) => error)
	// The server answers an oversized body before it is sent completely, and closes the connection.
	if (response instanceof Error) {
		const isCut = ['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(response.cause?.code ?? '')
		return { status: 0, fault: isCut && sizeOf(request) > 100_000 ? null : String(response.cause ?? response) }
	}
	if (response.status === 401 && request.as !== null) await people(request.as, true)
	return { status: response.status, fault: faultOf(response.status, await response.text()) }
}

function sizeOf({ body }: HostileRequest): number {
	if (body === undefined || body instanceof FormData) return body ? Infinity : 0
	return body.length
}

function faultOf(status: number, text: string): string | null {
	if (status >= 500) return `${status} ${text}`
	if (status < 400) return null
	try {
		const { message: shown, detail } = JSON.parse(text) as { message?: unknown; detail?: unknown }
		const message = shown ?? detail
		return typeof message === 'string' && message !== '' ? null : `${status} without a message: ${text}`
	} catch {
		return `${status} that is no JSON: ${text}`
	}
}

/** Measures how long the thread is busy between two ticks: its processor time, and the delay of the event loop. */
function watchThread(): { stop(): Pick<FuzzResult, 'longestTurnMs' | 'longestDelayMs'> } {
	const delay = monitorEventLoopDelay({ resolution: TICK_MS })
	delay.enable()
	let longestTurnMs = 0
	let before = process.threadCpuUsage()
	const timer = setInterval(() => {
		const { user, system } = process.threadCpuUsage(before)
		longestTurnMs = Math.max(longestTurnMs, (user + system) / 1000)
		before = process.threadCpuUsage()
	}, TICK_MS)
	return {
		stop() {
			clearInterval(timer)
			delay.disable()
			return { longestTurnMs, longestDelayMs: delay.max / 1e6 }
		},
	}
}

async function heapAfterCollection(): Promise<number> {
	setFlagsFromString('--expose-gc')
	const collect = runInNewContext('gc') as () => void
	// Memory of a finished request is released in the next turns.
	for (let turn = 0; turn < 3; turn++) {
		await new Promise((resolve) => setImmediate(resolve))
		collect()
	}
	return process.memoryUsage().heapUsed
}

function describe({ method, path, as, headers, body }: HostileRequest): string {
	const sent = body instanceof FormData ? 'a form' : JSON.stringify(String(body?.slice(0, 300) ?? ''))
	return `${as ?? 'stranger'} ${method} ${path.slice(0, 300)} ${headers['content-type'] ?? ''} ${sent}`
}
