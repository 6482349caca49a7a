import { after, before, test } from 'node:test'
import { GROUP_SIZE, openStage, runHistories, type Stage } from './money-histories/run.ts'

let stage: Stage
before(async () => {
	stage = await openStage(GROUP_SIZE)
})
after(() => stage.app.close())

// Short form of `npm run test:money`.
test('wallet, campaigns and messages equal their model after every step of 1,000 short histories', async () => {
	await runHistories(stage, { seed: 1, histories: 1000, steps: 14 })
})

test('wallet, campaigns and messages equal their model after every step of two histories of 2,000 steps', async () => {
	await runHistories(stage, { seed: 1, histories: 2, steps: 2000 })
})
