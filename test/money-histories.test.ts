import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BrokenHistory, failureOfStep, LostConnection } from './money-histories/broken-history.ts'
import { GROUP_SIZE, openStage, runHistories, type Stage } from './money-histories/run.ts'

/** Number of short histories, and half the steps of each long one; MONEY_HISTORIES sets it for a longer run. */
const HISTORIES = Number(process.env.MONEY_HISTORIES ?? 200)

let stage: Stage
before(async () => {
	stage = await openStage(GROUP_SIZE)
})
after(() => stage.app.close())

// Short form of `npm run test:money`.
test(`wallet, campaigns and messages equal their model after every step of ${HISTORIES} short histories`, async () => {
	await runHistories(stage, { seed: 1, histories: HISTORIES, steps: 14 })
})

// Short form of `npm run test:money -- --payments`.
test(`wallet, payments and owed money equal their model after every step of ${HISTORIES / 10} histories with online payments`, async () => {
	await runHistories(stage, { seed: 1, histories: HISTORIES / 10, steps: 40, hasPayments: true })
})

test(`wallet, campaigns and messages equal their model after every step of two histories of ${2 * HISTORIES} steps`, async () => {
	await runHistories(stage, { seed: 1, histories: 2, steps: 2 * HISTORIES })
})

test('a step that loses its connection to PostgreSQL breaks no rule, and the error names the connection', async () => {
	const place = { index: 3, steps: 7 }
	const [cut] = await Promise.allSettled([stage.app.context.db`select pg_terminate_backend(pg_backend_pid())`])
	assert.ok(cut.status === 'rejected')
	const failure = failureOfStep(place, cut.reason)
	assert.ok(failure instanceof LostConnection)
	assert.match(failure.message, /^The connection to the database was lost/)
	const broken = failureOfStep(place, new Error('the wallet is short'))
	assert.ok(broken instanceof BrokenHistory)
	assert.deepEqual([broken.index, broken.steps, broken.message], [3, 7, 'the wallet is short'])
})
