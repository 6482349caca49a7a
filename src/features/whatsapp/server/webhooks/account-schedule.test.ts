import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '#lib/server/db.ts'
import { until } from '#test/until.ts'
import { AccountSchedule, type ScheduleOptions } from './account-schedule.ts'

const [A, B, C] = [1, 2, 3] as AccountId[] as [AccountId, AccountId, AccountId]

/** Creates a schedule whose runs last until the test ends them. */
function scheduled(options: Partial<ScheduleOptions> = {}) {
	const turns: { accountId: AccountId; at: number; end: (outcome: 'more' | 'taken' | 'nothing') => void }[] = []
	const errors: unknown[] = []
	const schedule = new AccountSchedule({
		work: (accountId) => new Promise((end) => turns.push({ accountId, at: performance.now(), end })),
		onError: (error) => errors.push(error),
		maxRunning: 8,
		intervalMs: 100,
		retryMs: 50,
		...options,
	})
	const accountIds = () => turns.map(({ accountId }) => accountId)
	return { schedule, turns, accountIds, errors }
}

test('AccountSchedule starts an account’s first run immediately, and the next after the interval however often it is notified', async () => {
	const { schedule, turns } = scheduled()
	schedule.notify(A)
	assert.equal(turns.length, 1)
	for (let count = 0; count < 5; count++) schedule.notify(A)
	turns[0]?.end('taken')
	await until(() => turns.length === 2)
	// The interval counts from just before the run records its time, and timers use whole milliseconds.
	assert.ok((turns[1]?.at ?? 0) - (turns[0]?.at ?? 0) >= 90)
	turns[1]?.end('taken')
	await until(() => schedule.busy().length === 0)
	assert.equal(turns.length, 2)
})

test('AccountSchedule repeats an account with more to do without a pause, after the waiting accounts', async () => {
	const { schedule, turns, accountIds } = scheduled({ maxRunning: 1 })
	for (const accountId of [A, B, C]) schedule.notify(accountId)
	assert.deepEqual(accountIds(), [A])
	turns[0]?.end('more')
	await until(() => turns.length === 2)
	turns[1]?.end('taken')
	await until(() => turns.length === 3)
	turns[2]?.end('taken')
	await until(() => turns.length === 4)
	assert.deepEqual(accountIds(), [A, B, C, A])
	turns[3]?.end('taken')
	await schedule.stop()
})

test('AccountSchedule runs at most maxRunning accounts at once, and stop waits for them', async () => {
	const { schedule, turns, accountIds } = scheduled({ maxRunning: 2 })
	for (const accountId of [A, B, C]) schedule.notify(accountId)
	assert.deepEqual(accountIds(), [A, B])
	let isStopped = false
	const stopped = schedule.stop().then(() => (isStopped = true))
	turns[0]?.end('more')
	await new Promise(setImmediate)
	assert.equal(isStopped, false)
	turns[1]?.end('taken')
	await stopped
	assert.deepEqual(accountIds(), [A, B])
})

test('AccountSchedule retries a failed account after growing waits, and runs the others meanwhile', async () => {
	const starts: number[] = []
	const { schedule, errors } = scheduled({
		work: async (accountId) => {
			if (accountId === B) return 'taken'
			starts.push(performance.now())
			throw new Error('no')
		},
	})
	schedule.notify(A)
	schedule.notify(B)
	await until(() => starts.length === 3)
	const [first = 0, second = 0, third = 0] = starts
	assert.ok(second - first >= 49 && third - second >= 99)
	assert.equal(errors.length, 3)
	assert.deepEqual(schedule.busy(), [A])
	await schedule.stop()
})

test('AccountSchedule ignores notifications of an account where it found nothing, but runs it when a scan wakes it', async () => {
	const { schedule, turns } = scheduled({ intervalMs: 0 })
	schedule.notify(A)
	turns[0]?.end('nothing')
	await until(() => schedule.busy().length === 0)
	schedule.notify(A)
	assert.equal(turns.length, 1)
	schedule.wake(A)
	await until(() => turns.length === 2)
	turns[1]?.end('taken')
	await until(() => schedule.busy().length === 0)
	schedule.prune()
	schedule.notify(A)
	assert.equal(turns.length, 2)
})
