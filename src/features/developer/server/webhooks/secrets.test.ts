import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { HOUR_MS } from '#lib/durations.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import { newSecret, signedHeaders } from './secrets.ts'

const vault = createVault(Buffer.alloc(32, 1))
const accountId = 7 as AccountId
const body = Buffer.from('{"events":[{"text":"₹"}]}')

test('the previous secret signs for a day after a rotation, and earlier ones do not', (t) => {
	t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-23T00:00:00Z') })
	const first = newSecret(vault, accountId)
	const second = newSecret(vault, accountId, first.encrypted)
	const third = newSecret(vault, accountId, second.encrypted)
	const takes = ({ secret }: { secret: string }, encrypted: Buffer) => {
		const headers = signedHeaders(vault, accountId, { encrypted, id: 'dlv_1', body })
		try {
			new Webhook(secret).verify(body, headers ?? {})
			return true
		} catch {
			return false
		}
	}
	assert.deepEqual([takes(first, second.encrypted), takes(second, second.encrypted)], [true, true])
	assert.deepEqual([takes(first, third.encrypted), takes(second, third.encrypted)], [false, true])
	t.mock.timers.setTime(Date.now() + 23 * HOUR_MS)
	assert.equal(takes(first, second.encrypted), true)
	t.mock.timers.setTime(Date.now() + 2 * HOUR_MS)
	assert.deepEqual([takes(first, second.encrypted), takes(second, second.encrypted)], [false, true])
})

test('a rotation replaces a secret that no key decrypts', () => {
	const { encrypted: lost } = newSecret(createVault(Buffer.alloc(32, 2)), accountId)
	const { secret, encrypted } = newSecret(vault, accountId, lost)
	const headers = signedHeaders(vault, accountId, { encrypted, id: 'dlv_1', body })
	assert.doesNotThrow(() => new Webhook(secret).verify(body, headers ?? {}))
})

test('signedHeaders returns null for a secret of another account', () => {
	const { encrypted } = newSecret(vault, accountId)
	assert.equal(signedHeaders(vault, 8 as AccountId, { encrypted, id: 'dlv_1', body }), null)
})
