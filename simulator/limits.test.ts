import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'

const ONE_SECOND_MS = 1_000

test('an enforced STANDARD number refuses sends over 80 a second with 130429, and a HIGH one takes 200', async (t) => {
	const { send, control, account, receiver } = await startScene(t)
	const { phone_number_id } = account
	const burst = async (): Promise<number> => {
		const answers = await Promise.all(Array.from({ length: 200 }, () => send()))
		return answers.filter(({ body }) => body.error?.code === 130429).length
	}
	assert.equal(await burst(), 0)
	await control.setThroughput({ phone_number_id, enforced: true })
	const refused = await burst()
	assert.ok(refused > 0 && refused <= 120, `${refused} refused`)
	await control.setThroughput({ phone_number_id, level: 'HIGH' })
	await control.waitIdle()
	assert.equal(receiver.changes('phone_number_quality_update')[0]?.value['event'], 'THROUGHPUT_UPGRADE')
	const now = performance.now.bind(performance)
	t.mock.method(performance, 'now', () => now() + ONE_SECOND_MS)
	assert.equal(await burst(), 0)
})

test('an enforced pair limit refuses the 46th message to one recipient with 131056, and no other recipient', async (t) => {
	const { send, control, account } = await startScene(t)
	await control.setPhone({ phone_number_id: account.phone_number_id, enforce_pair_limit: true })
	const codes: unknown[] = []
	for (let each = 0; each < 46; each++) codes.push((await send({ to: '+919811111111' })).body.error?.code)
	assert.deepEqual(codes.slice(44), [undefined, 131056])
	assert.equal((await send()).status, 200)
})

test('an enforced limit refuses templates to further people of the portfolio with 131048, until a day has passed', async (t) => {
	const { send, control, account } = await startScene(t)
	const { waba_id, phone_number_id } = account
	await control.enforceLimit({ waba_id, people: 2 })
	const codeOf = async (to: string) => (await send({ to })).body.error?.code ?? null
	assert.deepEqual([await codeOf('+919811111111'), await codeOf('+919811111112')], [null, null])
	assert.deepEqual([await codeOf('+919811111113'), await codeOf('+919811111111')], [131048, null])
	await control.sendInbound({ phone_number_id, from: '919811111114', type: 'text' })
	assert.equal(await codeOf('+919811111114'), null)
	assert.deepEqual(await control.limitStats({ waba_id }), { people: 2, most: 2, refused: 1 })
	await control.passHours({ hours: 25 })
	assert.equal(await codeOf('+919811111113'), null)
	await control.enforceLimit({ waba_id, people: null })
	assert.deepEqual([await codeOf('+919811111115'), await codeOf('+919811111116')], [null, null])
})
