import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadWallet } from './scenes/wallet-load.ts'

test('64 concurrent clients that recharge and spend one wallet cause no deadlock and no reconciliation finding', async (t) => {
	const load = await loadWallet({ clients: 64, seconds: 3 })
	assert.deepEqual(load.errors, [])
	assert.deepEqual(load.findings, [])
	assert.ok(load.lowestPaise >= 0)
	assert.ok(load.recharges > 10 && load.campaigns + load.refused > 10)
	t.diagnostic(`${load.recharges} recharges, ${load.campaigns} campaigns, ${load.refused} refused`)
})
