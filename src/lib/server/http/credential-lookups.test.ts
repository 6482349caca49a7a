import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '#lib/app-error.ts'
import { CredentialLookups } from './credential-lookups.ts'

/** Returns look-ups over a database with the one credential `valid`. Each statement ends at the next call of `answer`. */
function createScene() {
	const batches: string[][] = []
	const ends: (() => void)[] = []
	const touched: string[] = []
	const rows = new Set(['valid'])
	let nowMs = 0
	const lookups = new CredentialLookups<string, string>(
		{
			async look(asked) {
				batches.push(asked)
				await new Promise<void>((resolve) => ends.push(resolve))
				return asked.map((each) => (rows.has(each) ? each : undefined))
			},
			async onFound(found) {
				touched.push(found)
			},
		},
		() => nowMs,
	)
	return {
		batches,
		touched,
		rows,
		pass: (ms: number) => (nowMs += ms),
		find: (key: string, network = 'office') => lookups.find(key, key, network),
		async answer() {
			await nextTurn()
			ends.shift()?.()
			await nextTurn()
		},
	}
}

const isRefused = (error: unknown) => error instanceof AppError && error.status === 429

test('CredentialLookups looks up the calls that arrive during a statement in one next statement, equal credentials once', async () => {
	const scene = createScene()
	const first = scene.find('a')
	const later = [scene.find('valid'), scene.find('valid'), scene.find('b'), scene.find('a')]
	await scene.answer()
	assert.equal(await first, null)
	await scene.answer()
	assert.deepEqual(await Promise.all(later), ['valid', 'valid', null, null])
	assert.deepEqual(scene.batches, [['a'], ['valid', 'b', 'a']])
	assert.deepEqual(scene.touched, ['valid'])
})

test('CredentialLookups refuses a credential that was revoked during a statement to calls that arrived after the statement began', async () => {
	const scene = createScene()
	const before = scene.find('valid')
	scene.rows.delete('valid')
	const after = scene.find('valid')
	scene.rows.add('valid')
	await scene.answer()
	scene.rows.delete('valid')
	await scene.answer()
	assert.deepEqual([await before, await after], ['valid', null])
})

test('CredentialLookups does not look an unknown credential up again within five seconds', async () => {
	const scene = createScene()
	for (const ms of [0, 4999]) {
		scene.pass(ms)
		const found = scene.find('a')
		await scene.answer()
		assert.equal(await found, null)
	}
	assert.equal(scene.batches.length, 1)
	scene.pass(1)
	const found = scene.find('a')
	await scene.answer()
	assert.deepEqual([await found, scene.batches.length], [null, 2])
})

test('CredentialLookups answers 429 to a network with 1,000 waiting look-ups, and serves another network and known credentials', async () => {
	const scene = createScene()
	const known = scene.find('valid')
	await scene.answer()
	await known
	const waiting = Array.from({ length: 1001 }, (_, index) => scene.find(`made up ${index}`))
	await nextTurn()
	await assert.rejects(scene.find('one more'), isRefused)
	const served = [scene.find('valid'), scene.find('other', 'home')]
	for (let batch = 0; batch < 4; batch++) await scene.answer()
	assert.deepEqual(await Promise.all(served), ['valid', null])
	assert.ok((await Promise.all(waiting)).every((found) => found === null))
})

test('CredentialLookups allows ten waiting look-ups to a network that sent 1,000 unknown credentials in a minute, known credentials without limit', async () => {
	const scene = createScene()
	const guesses = Array.from({ length: 1000 }, (_, index) => scene.find(`made up ${index}`))
	for (let batch = 0; batch < 3; batch++) await scene.answer()
	await Promise.all(guesses)
	const running = scene.find('running')
	await nextTurn()
	const more = Array.from({ length: 10 }, (_, index) => scene.find(`more ${index}`))
	await assert.rejects(scene.find('valid'), isRefused)
	await scene.answer()
	// A valid credential from the suspect network gets its turn and is known afterwards.
	const colleague = scene.find('valid')
	await scene.answer()
	await scene.answer()
	assert.deepEqual(await Promise.all([running, ...more]), Array(11).fill(null))
	assert.equal(await colleague, 'valid')
	scene.pass(60_000)
	const anew = Array.from({ length: 20 }, (_, index) => scene.find(`anew ${index}`))
	await scene.answer()
	await scene.answer()
	assert.equal((await Promise.all(anew)).length, 20)
})

test('CredentialLookups rejects the calls of a failed statement, and looks the next ones up', async () => {
	let isDown = true
	const lookups = new CredentialLookups<string, string>({
		async look(asked) {
			if (isDown) throw new Error('no connection')
			return asked
		},
		async onFound() {},
	})
	await assert.rejects(lookups.find('valid', 'valid', 'office'), /no connection/)
	isDown = false
	assert.equal(await lookups.find('valid', 'valid', 'office'), 'valid')
})
