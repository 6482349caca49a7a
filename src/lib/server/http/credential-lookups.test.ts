import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { CredentialLookups } from './credential-lookups.ts'

/** A database with the credential `valid`. Each statement ends with the next call of `answer`. */
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

test('calls that come while a statement runs share the next one, and equal credentials a place in it', async () => {
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

test('a credential revoked while a statement runs is refused to the calls that came after it began', async () => {
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

test('an unknown credential is not asked for again within five seconds', async () => {
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

test('a network with 1,000 look-ups waiting gets 429, while another network and credentials found before get their turn', async () => {
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

test('a network that sent 1,000 unknown credentials in a minute has ten look-ups at a time, its known ones all', async () => {
	const scene = createScene()
	const guesses = Array.from({ length: 1000 }, (_, index) => scene.find(`made up ${index}`))
	for (let batch = 0; batch < 3; batch++) await scene.answer()
	await Promise.all(guesses)
	const running = scene.find('running')
	await nextTurn()
	const more = Array.from({ length: 10 }, (_, index) => scene.find(`more ${index}`))
	await assert.rejects(scene.find('valid'), isRefused)
	await scene.answer()
	// A colleague of the suspect signs in: the credential gets a turn, and is known from then on.
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

test('a statement that fails rejects its own calls, and the next ones are looked up', async () => {
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
