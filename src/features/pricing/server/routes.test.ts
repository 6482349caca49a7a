import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '#test/app.ts'
import { pricing } from '../contract.ts'

const app = await startTestApp({ env: { DEFAULT_MARKETING_PRICE: '0.85', DEFAULT_UTILITY_PRICE: '0.12' } })
after(() => app.close())

test('a new account pays the prices that the configuration names', async () => {
	const { status, body } = await app.call(pricing.mine, {}, await app.signIn('user'))
	assert.deepEqual([status, body], [200, { marketingPrice: 0.85, utilityPrice: 0.12 }])
})
