import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { OwnerId } from '#lib/server/db.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'

/** Work that is done when it is told so. */
function createWork() {
	const runLimited = createConcurrencyLimit()
	const started: string[] = []
	const ends = new Map<string, () => void>()
	const start = (owner: number, name: string, signal?: AbortSignal) =>
		runLimited({ owner: owner as OwnerId, signal }, () => {
			started.push(name)
			return new Promise<void>((end) => ends.set(name, end))
		})
	const end = async (name: string) => {
		ends.get(name)?.()
		await setImmediate()
	}
	return { started, start, end }
}

test('createConcurrencyLimit runs two pieces of work at once, one of an account, and the others in order', async () => {
	const { started, start, end } = createWork()
	const all = [start(1, 'a'), start(1, 'b'), start(2, 'c'), start(3, 'd')]
	await setImmediate()
	assert.deepEqual(started, ['a', 'c'])
	await end('a')
	assert.deepEqual(started, ['a', 'c', 'b'])
	await end('c')
	assert.deepEqual(started, ['a', 'c', 'b', 'd'])
	await end('b')
	await end('d')
	await Promise.all(all)
})

test('createConcurrencyLimit does not begin what was broken off, goes on after a failure, and returns 429 for the 13th waiting', async () => {
	const { started, start, end } = createWork()
	const first = start(1, 'a')
	const cancelled = new AbortController()
	const broken = start(1, 'b', cancelled.signal)
	cancelled.abort()
	const others = Array.from({ length: 12 }, (_, index) => start(1, `c${index}`))
	await assert.rejects(start(1, 'too many'), { status: 429 })
	const rejected = assert.rejects(broken, { name: 'AbortError' })
	await end('a')
	await rejected
	for (let index = 0; index < 12; index++) {
		await setImmediate()
		await end(`c${index}`)
	}
	await Promise.all([first, ...others])
	assert.equal(started.length, 13)
})
