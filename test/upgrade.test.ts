import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { createLog } from '#lib/server/log.ts'
import { campaignWhen, moneyFindings, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { until } from './until.ts'

const RECIPIENTS = 300
const PER_SECOND = 40
const NEWER = '9999_next.sql'
/** Maximum time for a worker to notice a newer schema. It takes two seconds; the worker then returns its claims. */
const NOTICED_MS = 60_000

let product: Product
const lines: Record<string, unknown>[] = []
before(async () => {
	product = await startProduct({ env: { ROLE: 'http' } })
})
after(() => product.close())

async function startWorker() {
	const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
	return startProcess(readEnv({ ...product.env, ROLE: 'worker' }), log, { kind: 'production' })
}

async function readiness(url: string) {
	const answer = await fetch(`${url}/readyz`)
	const { problem } = (await answer.json()) as { problem?: string }
	return { status: answer.status, problem }
}

test('a worker that finds a newer schema is not ready, logs the reason once, takes no more work, and another worker continues', async (t) => {
	const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: PER_SECOND })
	const older = await startWorker()
	t.after(() => older.stop())
	assert.equal((await readiness(older.url)).status, 200)
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ pending }) => pending < RECIPIENTS - 20)

	await product.db`insert into schema_migrations (file) values (${NEWER})`
	await until(async () => (await readiness(older.url)).status === 503, NOTICED_MS)
	const problem = `A newer release has migrated the database (${NEWER}): run that release instead`
	for (const url of [older.url, product.process.url]) assert.equal((await readiness(url)).problem, problem)
	const stateOf = async () => {
		const [row] = await product.db<{ workers: number; claims: number; leases: number; sent: number }[]>`
			select (select count(*) from workers) as workers, (select count(*) from message_claims) as claims,
				(select count(*) from senders where lease_worker is not null) as leases,
				(select claimed_through from campaigns where account_id = ${sender.accountId} and id = ${campaignId}) as sent
		`
		return { ...row }
	}
	await until(async () => (await stateOf()).workers === 0, NOTICED_MS)
	const left = await stateOf()
	assert.ok((left.sent ?? 0) < RECIPIENTS, 'the worker stops in the middle of the campaign')
	assert.deepEqual(left, { ...left, workers: 0, claims: 0, leases: 0 })
	const said = lines.filter((line) => line.problem === problem)
	assert.equal(said.length, 1)

	const alsoOlder = await startWorker()
	t.after(() => alsoOlder.stop())
	assert.equal((await readiness(alsoOlder.url)).status, 503)
	const { workers, sent } = await stateOf()
	assert.deepEqual({ workers, sent }, { workers: 0, sent: left.sent }, 'neither worker claims anything more')

	await product.db`delete from schema_migrations where file = ${NEWER}`
	const newer = await startWorker()
	t.after(() => newer.stop())
	const done = await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
	assert.equal(done.failed, 0)
	const counts = Object.values(await product.simulator.control.receivedCounts())
	assert.deepEqual([counts.length, counts.every((count) => count === 1)], [RECIPIENTS, true])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a process of the last release stores deliveries on a newer schema, and answers Meta with an error where it cannot', async (t) => {
	const sender = await sendingAccount(product, { contacts: 1 })
	await product.db`insert into schema_migrations (file) values (${NEWER})`
	t.after(() => product.db`delete from schema_migrations where file = ${NEWER}`)
	const [row] = await product.db<{ key: string }[]>`
		select webhook_key as key from senders where account_id = ${sender.accountId}
	`
	const url = `${product.process.url}/api/webhooks/whatsapp/${row?.key}`
	const body = '{"object":"whatsapp_business_account","entry":[]}'
	const signature = `sha256=${createHmac('sha256', sender.credentials.app_secret).update(body).digest('hex')}`
	const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
	const post = async () => (await fetch(url, { method: 'POST', headers, body })).status
	assert.equal(await post(), 200)
	const stored = () => product.db`select 1 from webhook_deliveries where account_id = ${sender.accountId}`
	assert.equal((await stored()).length, 1)
	await product.db`alter table webhook_deliveries rename column body to text`
	t.after(() => product.db`alter table webhook_deliveries rename column text to body`)
	assert.ok((await post()) >= 500)
})
