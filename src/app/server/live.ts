import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { problem } from '#app/problems.ts'
import { LIVE_PATH, type LiveEvent } from '#lib/live.ts'
import type { AccountId } from '#lib/server/db.ts'
import { liveChannel, subscribe } from '#lib/server/db/channels/channels.ts'
import type { Listener } from '#lib/server/db/channels/listener.ts'
import { FairSemaphore } from '#lib/server/fair-semaphore.ts'
import { addressOf, requireSession, tokenOf, type Http } from '#lib/server/http/http.ts'
import { networkOf } from '#lib/server/http/network.ts'
import { EventHistory } from './event-history.ts'

/** Interval in milliseconds of comments on each stream, which also detect closed browsers and ended sessions. */
const HEARTBEAT_INTERVAL_MS = 20_000

/** Streams per session, that is tabs of one browser. An account may have more on several devices. */
const SESSION_STREAMS = 20
/** Seconds after which a tab above the limit tries again. */
const RETRY_SECONDS = 30

const refusal = () => problem('too_many_tabs', { waitSeconds: RETRY_SECONDS })
const RESYNC: LiveEvent = { kind: 'resync' }

/**
 * Streams an account's changes to each signed-in browser. Returns the function that ends all streams. A browser that
 * reconnects, to any process, receives its missed events, or `resync` when they are no longer stored. A new one sends
 * the milliseconds since it began to fetch (`lastMs`), and receives the events of that time.
 */
export async function serveLive(
	http: Http,
	listener: Listener,
	{ ACCOUNT_STREAMS }: { ACCOUNT_STREAMS: number },
): Promise<() => void> {
	const ofAccount = new FairSemaphore({ each: ACCOUNT_STREAMS, refusal })
	const ofSession = new FairSemaphore<string>({ each: SESSION_STREAMS, refusal })
	const streams = new Map<AccountId, Map<ServerResponse, () => Promise<void>>>()
	const history = new EventHistory()
	const unlisten = await subscribe(listener, liveChannel, {
		onPayload(notified) {
			// A browser that reconnects needs to know no earlier typing.
			const isPassing = notified.event.kind === 'typing'
			if (!isPassing) history.add(notified)
			for (const [stream, check] of streams.get(notified.accountId) ?? []) {
				stream.write(isPassing ? dataOf(notified.event) : textOf(notified))
				if (notified.event.kind === 'session') void check()
			}
		},
		onGap() {
			history.clear()
			for (const mine of streams.values())
				for (const stream of mine.keys()) stream.write(textOf({ id: history.position(), event: RESYNC }))
		},
	})

	http.get(LIVE_PATH, async (request, reply) => {
		const session = await requireSession(http, request)
		const token = tokenOf(request) ?? ''
		const network = networkOf(addressOf(request))
		const stream = reply.raw
		// The stream closed during the session lookup, so its `close` event has already passed.
		if (stream.closed || request.raw.destroyed) return reply.hijack()
		const ends = [ofSession.beginNow(token)]
		stream.once('close', () => ends.forEach((end) => end()))
		ends.push(ofAccount.beginNow(session.accountId))
		reply.hijack()
		stream.writeHead(200, {
			'content-type': 'text/event-stream',
			'cache-control': 'no-store',
			'x-accel-buffering': 'no',
			'x-request-id': request.id,
		})
		stream.write(`retry: 1000\n\n${catchUp(history, session.accountId, request)}`)
		const check = async () => {
			if (await http.findSession(token, network).catch(() => session)) stream.write(': \n\n')
			else stream.end()
		}
		const mine = streams.get(session.accountId) ?? new Map<ServerResponse, () => Promise<void>>()
		streams.set(session.accountId, mine.set(stream, check))
		const heartbeat = setInterval(() => void check(), HEARTBEAT_INTERVAL_MS)
		stream.on('close', () => {
			clearInterval(heartbeat)
			mine.delete(stream)
			if (mine.size === 0) streams.delete(session.accountId)
		})
	})

	return () => {
		unlisten()
		for (const mine of streams.values()) for (const stream of mine.keys()) stream.end()
	}
}

function textOf({ id, event }: { id: string; event: LiveEvent | object }): string {
	return `id: ${id}\n${dataOf(event)}`
}

function dataOf(event: LiveEvent | object): string {
	return `data: ${JSON.stringify(event)}\n\n`
}

/**
 * Returns the first message of a stream: the missed events, `resync` when they are no longer stored, or the id to
 * reconnect with.
 */
function catchUp(history: EventHistory, accountId: AccountId, { headers, query }: FastifyRequest): string {
	const here = { id: history.position(), event: {} }
	const lastId = headers['last-event-id']
	const { lastMs } = query as Record<string, unknown>
	if (typeof lastId !== 'string' && typeof lastMs !== 'string') return textOf(here)
	const missed =
		typeof lastId === 'string' ? history.since(accountId, lastId) : history.ofLast(accountId, Number(lastMs) || 0)
	return missed ? missed.map(textOf).join('') || textOf(here) : textOf({ ...here, event: RESYNC })
}
