import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/until.ts'
import { accountChannel } from '../db/channels/channels.ts'
import type { Listener } from '../db/channels/listener.ts'
import { createLog } from '../log.ts'
import { startHousekeeping, type HousekeepingTask } from './housekeeping.ts'

const elected = { isElected: () => true }
const log = createLog('silent')
/** Milliseconds, longer than any of these tests. */
const NEVER_MS = 1_000_000

function start(tasks: HousekeepingTask[], worker = elected) {
	const listeners = new Map<string, () => void>()
	const listener: Listener = {
		listen: async (channel, onPayload) => {
			listeners.set(channel, () => onPayload(''))
			return () => void listeners.delete(channel)
		},
		close: async () => {},
	}
	const started = startHousekeeping({ worker, log, listener }, tasks)
	return { started, notify: (channel: string) => listeners.get(channel)?.() }
}

test('startHousekeeping runs a task at its interval, and never twice concurrently', async () => {
	let running = 0
	let most = 0
	let runs = 0
	const task: HousekeepingTask = {
		name: 'slow',
		intervalMs: 5,
		async run() {
			running++
			most = Math.max(most, running)
			await new Promise((resolve) => setTimeout(resolve, 20))
			running--
			runs++
		},
	}
	const { started } = start([task])
	await until(() => runs >= 3)
	await (await started).stop()
	assert.equal(most, 1)
	assert.equal(running, 0)
})

test('startHousekeeping runs a failed task again at its next interval, and the other tasks unaffected', async () => {
	let failures = 0
	let runs = 0
	const failing: HousekeepingTask = {
		name: 'failing',
		intervalMs: 5,
		async run() {
			failures++
			throw new Error('no')
		},
	}
	const sound: HousekeepingTask = { name: 'sound', intervalMs: 5, run: async () => void runs++ }
	const { started } = start([failing, sound])
	await until(() => failures >= 3 && runs >= 3)
	await (await started).stop()
})

test('startHousekeeping runs nothing in a process that is not elected, and starts after its election', async () => {
	const worker = { isElected: () => isElected }
	let isElected = false
	let asked = 0
	let runs = 0
	const task: HousekeepingTask = { name: 'task', intervalMs: 5, run: async () => void runs++ }
	const { started } = start([task], {
		isElected: () => {
			asked++
			return worker.isElected()
		},
	})
	await until(() => asked >= 3)
	assert.equal(runs, 0)
	isElected = true
	await until(() => runs > 0)
	await (await started).stop()
})

test('startHousekeeping runs a task immediately when its channel is notified, also during a run', async () => {
	const releases: (() => void)[] = []
	let runs = 0
	const task: HousekeepingTask = {
		name: 'woken',
		intervalMs: NEVER_MS,
		wakeOn: accountChannel('work'),
		async run() {
			runs++
			await new Promise<void>((resolve) => releases.push(resolve))
		},
	}
	const { started, notify } = start([task])
	const housekeeping = await started
	await until(() => releases.length === 1)
	notify('work')
	releases.shift()?.()
	await until(() => runs === 2)
	releases.shift()?.()
	await housekeeping.stop()
})

test('startHousekeeping repeats a task immediately while it reports more work', async () => {
	let left = 3
	const task: HousekeepingTask = { name: 'chunks', intervalMs: NEVER_MS, run: async () => left-- }
	const { started } = start([task])
	await until(() => left < 0)
	await (await started).stop()
	assert.equal(left, -1)
})

test('stop of the housekeeping ends a task after its current chunk', async () => {
	let chunks = 0
	const task: HousekeepingTask = {
		name: 'endless',
		intervalMs: NEVER_MS,
		async run(signal) {
			for (; !signal.aborted; chunks++) await new Promise((resolve) => setImmediate(resolve))
			return true
		},
	}
	const { started } = start([task])
	await until(() => chunks > 0)
	await (await started).stop()
	const before = chunks
	await new Promise((resolve) => setImmediate(resolve))
	assert.equal(chunks, before)
})
