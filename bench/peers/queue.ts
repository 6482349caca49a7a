import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Queue } from 'bullmq'
import type { Db } from '#lib/server/db.ts'
import { findFreePort } from '#test/free-port.ts'

export interface QueueTarget {
	db: Db
	databaseUrl: string
	graphUrl: string
	phoneNumberId: string
	accessToken: string
}

/** A new Redis, a queue in it, and a worker process that runs its jobs. */
export interface PeerQueue {
	start(): Promise<void>
	/** Ends the worker and Redis as a power failure would. */
	kill(): Promise<void>
	add(messages: { id: number; number: string; name: string }[]): Promise<void>
	/** Returns the number of unfinished jobs. */
	left(): Promise<number>
	close(): Promise<void>
}

/** Number of concurrent jobs: enough for the latency of the network. */
const CONCURRENCY = 200
const ADD_BATCH = 1000
const START_TIMEOUT_MS = 10_000

export async function openPeerQueue(target: QueueTarget): Promise<PeerQueue> {
	const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'))
	const port = await findFreePort()
	let redis: ChildProcess | undefined
	let worker: ChildProcess | undefined
	let queue: Queue | undefined
	process.once('exit', () => [worker, redis].forEach((child) => child?.kill('SIGKILL')))
	return {
		async start() {
			// Redis flushes its append-only file every second, as its manual advises.
			const settings = [
				'--port',
				String(port),
				'--bind',
				'127.0.0.1',
				'--dir',
				folder,
				'--appendonly',
				'yes',
				'--save',
				'',
			]
			redis = spawn('redis-server', settings, { stdio: 'ignore' })
			await listening(port)
			queue ??= openQueue(port)
			worker = await startWorker(target, port)
		},
		async kill() {
			await Promise.all([stopped(worker, 'SIGKILL'), stopped(redis, 'SIGKILL')])
		},
		async add(messages) {
			for (let at = 0; at < messages.length; at += ADD_BATCH) {
				const jobs = messages.slice(at, at + ADD_BATCH).map((data) => ({
					name: 'send',
					data,
					opts: { attempts: 3, backoff: { type: 'exponential', delay: 1000 }, removeOnComplete: true },
				}))
				await queue?.addBulk(jobs)
			}
		},
		async left() {
			const counts = (await queue?.getJobCounts('waiting', 'active', 'delayed', 'prioritized')) ?? {}
			return Object.values(counts).reduce((sum, count) => sum + count, 0)
		},
		async close() {
			await queue?.close()
			await stopped(worker, 'SIGKILL')
			await stopped(redis, 'SIGTERM')
			await rm(folder, { recursive: true })
		},
	}
}

async function stopped(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
	if (!child || child.exitCode !== null || child.signalCode !== null) return
	const exited = once(child, 'exit')
	child.kill(signal)
	await exited
}

function openQueue(port: number): Queue {
	const queue = new Queue('messages', { connection: { host: '127.0.0.1', port, maxRetriesPerRequest: null } })
	// Redis is killed on purpose.
	queue.on('error', () => {})
	return queue
}

async function startWorker(target: QueueTarget, port: number): Promise<ChildProcess> {
	const main = fileURLToPath(new URL('queue-worker.ts', import.meta.url))
	const child = spawn(process.execPath, [main], {
		env: {
			...process.env,
			REDIS_PORT: String(port),
			DATABASE_URL: target.databaseUrl,
			GRAPH_URL: target.graphUrl,
			PHONE_NUMBER_ID: target.phoneNumberId,
			ACCESS_TOKEN: target.accessToken,
			CONCURRENCY: String(CONCURRENCY),
		},
		stdio: ['ignore', 'pipe', 'inherit'],
	})
	await once(createInterface(child.stdout), 'line')
	return child
}

async function listening(port: number): Promise<void> {
	const deadline = performance.now() + START_TIMEOUT_MS
	for (;;) {
		const socket = connect(port, '127.0.0.1')
		const isOpen = await new Promise<boolean>((resolve) => {
			socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
		})
		socket.destroy()
		if (isOpen) return
		if (performance.now() > deadline)
			throw new Error('redis-server does not answer: install it with apt-get install redis-server')
		await sleep(50)
	}
}
