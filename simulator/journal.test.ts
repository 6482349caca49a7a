import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startChild } from '#test/child-process.ts'
import { until } from '#test/until.ts'
import { connectSimulator } from './client.ts'
import type { Credentials } from './control.ts'
import { caller, HELLO } from './test-scene.ts'
import { startReceiver } from './webhook-receiver.ts'

interface Running extends Credentials {
	url: string
	child: ChildProcess
}

async function run(t: TestContext, folder: string): Promise<Running> {
	const main = fileURLToPath(new URL('main.ts', import.meta.url))
	const env = { ...process.env, PORT: '0', SIMULATOR_STATE: folder }
	const child = startChild([main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
	t.after(() => child.kill('SIGKILL'))
	assert.ok(child.stdout)
	const [line] = (await once(child.stdout, 'data')) as [Buffer]
	return { ...(JSON.parse(line.toString()) as Credentials & { url: string }), child }
}

async function kill({ child }: Running): Promise<void> {
	child.kill('SIGKILL')
	await once(child, 'exit')
}

test('a simulator with a journal restores accounts, templates, files, counts and unfinished messages after SIGKILL', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
	const receiver = await startReceiver()
	t.after(async () => {
		await receiver.close()
		rmSync(folder, { recursive: true })
	})

	const first = await run(t, folder)
	const control = connectSimulator(first.url)
	const { waba_id, phone_number_id } = first
	await control.subscribe({ waba_id, url: receiver.url })
	const { id } = await control.addTemplate({ waba_id, name: HELLO.name, components: [{ type: 'BODY', text: 'Hello' }] })
	const plan = { sentMs: 5, deliveredMs: 10, readMs: 15, jitter: 0, readRate: 1, failRate: 0 }
	await control.setStatusPlan(plan)
	const send = (to: string, callback: string): Promise<unknown> =>
		caller(first.url, first.access_token)('POST', `${phone_number_id}/messages`, {
			messaging_product: 'whatsapp',
			to: `+${to}`,
			type: 'template',
			template: HELLO,
			biz_opaque_callback_data: callback,
		})
	await send('919811111111', 'finished')
	await control.waitIdle()
	await control.setStatusPlan({ sentMs: 60_000, deliveredMs: 60_000, readMs: 60_000 })
	await Promise.all([send('919822222222', 'unfinished'), send('919822222222', 'unfinished')])
	await control.addFault({ kind: 'drop', accepted: true, times: 1 })
	await assert.rejects(send('919833333333', 'unanswered'))
	await control.sendInbound({ phone_number_id, from: '919811111111', type: 'image' })
	await kill(first)
	// An incomplete line is left by a process that was killed during a write.
	appendFileSync(join(folder, 'journal.jsonl'), '["message",99,"wam')

	receiver.deliveries.length = 0
	const second = await run(t, folder)
	assert.deepEqual({ ...second, url: '', child: null }, { ...first, url: '', child: null })
	const again = connectSimulator(second.url)
	const totals = await again.counters()
	assert.deepEqual([totals.accepted, totals.recipients], [4, 3])
	assert.deepEqual(totals.duplicates, [{ callback_data: 'unfinished', times: 2 }])
	const template = await caller(second.url, second.access_token)('GET', `${id}?fields=status`)
	assert.equal(template.body['status'], 'APPROVED')
	assert.equal(readdirSync(join(folder, 'media')).length, 1)

	await until(() => receiver.statuses().length >= 3)
	const reported = new Set(receiver.statuses().map((status) => status.biz_opaque_callback_data))
	assert.deepEqual([...reported].toSorted(), ['unanswered', 'unfinished'])
	await kill(second)
})
