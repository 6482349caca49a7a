import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Operation } from './races/operation.ts'
import { OPERATIONS, runRaces } from './races/run.ts'
import { openStage, type Stage } from './races/stage.ts'

let stage: Stage
before(async () => {
	stage = await openStage()
})
after(() => stage.close())

/**
 * Operation that appends a letter to the user's name by reading and writing it without a lock, which the product must never do.
 */
const appendUnlocked: Operation = {
	name: 'append unlocked',
	async begin({ db, userId }) {
		await db`update users set name = '' where id = ${userId}`
		const read = async () => (await db<{ name: string }[]>`select name from users where id = ${userId}`)[0]?.name ?? ''
		return {
			async run() {
				const name = await read()
				await db`update users set name = ${`${name}a`} where id = ${userId}`
				return undefined
			},
			check: async () => ((await read()) === 'aa' ? [] : ['a letter is lost']),
		}
	},
}

test('runRaces returns the two statements between which an update without a lock is lost', async () => {
	const { failures } = await runRaces(stage, { seed: 1, operations: [appendUnlocked] })
	const [failure] = failures
	assert.equal(failure?.pair, 'append unlocked,append unlocked')
	assert.match(failure.statements[0], /^update users set name/)
	assert.match(failure.statements[1], /^update users set name/)
	assert.ok(failure.broken.includes('a letter is lost'))
})

// Short form of `npm run test:races`: pairs that once broke a promise of the product, and some others.
suite('every interleaving of two operations keeps all promises', () => {
	const pairs = [
		['order by API', 'sweep answers'],
		['start a list', 'sweep drafts'],
		['order by segment', 'delete a field'],
		['start a list', 'start a list'],
		['order by API', 'deactivate'],
		['order by file', 'erase'],
		['claim', 'opt out'],
		['settle an answer', 'settle a status'],
	] as const
	for (const pair of pairs)
		test(pair.join(' and '), async () => {
			assert.ok(pair.every((name) => OPERATIONS.some((operation) => operation.name === name)))
			const { races, failures } = await runRaces(stage, { seed: 1, pair })
			assert.deepEqual(failures, [])
			assert.ok(races > 0)
		})
})
