import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { problem } from '#lib/problems.ts'
import type { AccountId } from './db.ts'
import { FairSemaphore, type EndTurn, type SemaphoreLimits } from './fair-semaphore.ts'

/** Requests turns from a semaphore and records the order in which they begin. */
function createQueue(limits: SemaphoreLimits) {
	const share = new FairSemaphore(limits)
	const begun: string[] = []
	const ends = new Map<string, EndTurn>()
	const ask = async (accountId: number, name: string, signal?: AbortSignal) => {
		ends.set(name, await share.begin(accountId as AccountId, signal))
		begun.push(name)
	}
	const end = async (name: string) => {
		ends.get(name)?.()
		await setImmediate()
	}
	return { share, begun, ask, end }
}

test('FairSemaphore runs calls up to the limits in all and per account, and starts the others in order as permits become free', async () => {
	const { begun, ask, end } = createQueue({ each: 1, total: 2, maxWaiting: 5 })
	const all = [ask(1, 'a'), ask(1, 'b'), ask(2, 'c'), ask(3, 'd')]
	await setImmediate()
	assert.deepEqual(begun, ['a', 'c'])
	await end('a')
	assert.deepEqual(begun, ['a', 'c', 'b'])
	await end('a')
	assert.deepEqual(begun, ['a', 'c', 'b'], 'a turn that ends twice frees one place')
	await end('c')
	assert.deepEqual(begun, ['a', 'c', 'b', 'd'])
	await Promise.all(all)
})

test("FairSemaphore starts another account's call before the queue of an account that has used its share", async () => {
	const { begun, ask, end } = createQueue({ each: 1, total: 2, maxWaiting: 5 })
	const all = [ask(1, 'a'), ask(1, 'b'), ask(1, 'c'), ask(2, 'd'), ask(3, 'e')]
	await setImmediate()
	await end('d')
	assert.deepEqual(begun, ['a', 'd', 'e'])
	for (const name of ['a', 'b', 'e']) await end(name)
	await Promise.all(all)
})

test("FairSemaphore refuses a call beyond the queue's limit with the refusal that it was given", async () => {
	const { ask, end } = createQueue({
		each: 1,
		maxWaiting: 2,
		refusal: () => problem('account_busy', { waitSeconds: 7 }),
	})
	const all = [ask(1, 'a'), ask(1, 'b'), ask(1, 'c')]
	await assert.rejects(ask(1, 'd'), { status: 429, code: 'account_busy', facts: { waitSeconds: 7 } })
	for (const name of ['a', 'b']) {
		await setImmediate()
		await end(name)
	}
	await Promise.all(all)
})

test('FairSemaphore refuses a call after its longest wait, and gives its place in the queue to another', async () => {
	const { ask, end } = createQueue({ each: 1, maxWaiting: 1, maxWaitMs: 20 })
	await ask(1, 'a')
	await assert.rejects(ask(1, 'b'), { status: 429 })
	const next = ask(1, 'c')
	await end('a')
	await next
})

test('FairSemaphore does not start a call whose client disconnected while it waited', async () => {
	const { begun, ask, end } = createQueue({ each: 1, maxWaiting: 5 })
	await ask(1, 'a')
	const gone = new AbortController()
	const waiting = ask(1, 'b', gone.signal)
	const next = ask(1, 'c')
	gone.abort()
	await assert.rejects(waiting, { name: 'AbortError' })
	await end('a')
	await next
	assert.deepEqual(begun, ['a', 'c'])
})

test('FairSemaphore with pauses starts the next call of an account with a queue after a pause, and other calls immediately', async () => {
	const { share, begun, ask, end } = createQueue({ each: 1, maxWaiting: 5, rests: true })
	const all = [ask(1, 'a'), ask(1, 'b')]
	await setImmediate()
	const until = performance.now() + 30
	while (performance.now() < until);
	await end('a')
	assert.deepEqual(begun, ['a'])
	await Promise.all(all)
	assert.deepEqual(begun, ['a', 'b'])
	await end('b')
	assert.ok(share.tryBegin(1 as AccountId))
})
