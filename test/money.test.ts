import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { toContacts } from '#features/audiences/server/recipients/recipient-sources.ts'
import { writeOrder } from '#features/campaigns/server/creation/write-order.ts'
import type { MessageUpdate } from '#features/delivery/server/settlement/message-changes.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { recharge } from '#features/wallet/server/service.ts'
import { AppError } from '#lib/app-error.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { account, contact, type TestAccount } from './factories.ts'
import { startTestApp, type TestApp } from './http-app.ts'
import { emptyBooks } from './money-histories/check.ts'
import { exhaustFloor } from './scenes/refunds.ts'

/** Number of plans; MONEY_RUNS sets it for a longer run. */
const RUNS = Number(process.env.MONEY_RUNS ?? 30)
const PEOPLE = 2
const CONTACTS = 3
const PRICE_PAISE = 30

let app: TestApp
let admin: TestAccount
let people: TestAccount[]

before(async () => {
	app = await startTestApp()
	admin = await app.signIn('admin')
	people = await Promise.all(Array.from({ length: PEOPLE }, () => account(app.context)))
	for (const { accountId } of people) for (let n = 0; n < CONTACTS; n++) await contact(app.context.db, accountId)
	await guardFirst()
})
after(() => app.close())

/** End of a step: committed, rolled back by an exception, cut by a killed connection, or repeated. */
const ending = fc.constantFrom('commits', 'commits', 'commits', 'throws', 'is killed', 'is repeated')
const person = fc.nat(PEOPLE - 1)
const status = fc.constantFrom('sent' as const, 'delivered' as const, 'read' as const, 'failed' as const)
const step = fc.oneof(
	fc.record({ kind: fc.constant('recharge' as const), person, paise: fc.integer({ min: 1, max: 400 }), ending }),
	fc.record({ kind: fc.constant('hold' as const), person, ending }),
	// Settles some messages of a campaign: captures, releases or refunds them, depending on their status before.
	fc.record({
		kind: fc.constant('settle' as const),
		person,
		campaign: fc.nat(5),
		updates: fc.array(
			fc.record({
				seq: fc.integer({ min: 1, max: CONTACTS }),
				status,
				unconfirmed: fc.boolean(),
				isStatusUpdate: fc.boolean(),
			}),
			{
				minLength: 1,
				maxLength: 4,
			},
		),
		ending,
	}),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const clients = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 6 })

const ALL = Array.from({ length: CONTACTS }, (_, index) => index + 1)
const ofFirst = { person: 0, ending: 'commits' } as const
/** First plan: all messages of a campaign are charged and then fail, which is more than the refund limit allows. */
const WITH_WAITING_REFUND: Step[][] = [
	[
		{ kind: 'recharge', paise: 400, ...ofFirst },
		{ kind: 'hold', ...ofFirst },
		...(['sent', 'failed'] as const).map((now) => ({
			kind: 'settle' as const,
			campaign: 0,
			updates: ALL.map((seq) => ({ seq, status: now, unconfirmed: false, isStatusUpdate: true })),
			...ofFirst,
		})),
	],
]

/** Limits the refunds of the first person to a share of charges: some are given, others wait. */
async function guardFirst(): Promise<void> {
	const [first] = people
	if (first) await exhaustFloor(app.context.db, first.accountId)
}

class Crash extends Error {}

let runs = 0
let steps = 0
let crashes = 0
let hasRefundWaited = false

test('reconciliation finds nothing after recharges, holds and settlements that ran concurrently, were repeated, rolled back or killed', async (t) => {
	let requests = 0
	await fc.assert(
		fc.asyncProperty(clients, async (plans) => {
			await Promise.all(
				plans.map(async (plan) => {
					for (const one of plan) {
						const requestId = `request-${++requests}`
						const run = () => perform(one, requestId, one.ending)
						const times = one.ending === 'is repeated' ? [run(), run()] : [run()]
						await Promise.all(times.map((time) => time.catch(forgiveCrash)))
						// A caller whose connection was killed repeats its request.
						if (one.ending === 'is killed') await perform(one, requestId, 'commits').catch(forgiveCrash)
						steps++
					}
				}),
			)
			assert.deepEqual(await reconcileMoney(app.context.db), [])
			const waiting = await app.context.db`select 1 from waiting_refunds where waiting_count > 0 limit 1`
			hasRefundWaited ||= waiting.length > 0
			if (++runs % 50 === 0) await emptyBooks(app.context.db).then(guardFirst)
		}),
		{ numRuns: RUNS, endOnFailure: true, includeErrorInReport: true, examples: [[WITH_WAITING_REFUND]] },
	)
	assert.ok(hasRefundWaited)
	t.diagnostic(`${RUNS} runs, ${steps} steps, ${crashes} of them crashed`)
})

function forgiveCrash(error: unknown): void {
	const text = String(error)
	// The ledger refuses the later of two equal concurrent steps by a unique key.
	const isTooLittleMoney = error instanceof AppError && error.status === 402
	const isExpected =
		error instanceof Crash ||
		isTooLittleMoney ||
		/terminat|connection|ledger_entries_account_id_reference_key/.test(text)
	if (!isExpected) throw error
	crashes++
}

/** Ends the transaction before its commit in the way that the plan names. */
async function end(sql: Sql, how: string): Promise<void> {
	if (how === 'throws') throw new Crash()
	if (how !== 'is killed') return
	const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
	await app.context.db`select pg_terminate_backend(${row?.pid ?? 0}::integer)`
	await sql`select 'the connection is gone, so this rejects'`
}

async function perform(one: Step, requestId: string, how: string): Promise<void> {
	const { db, env, notify } = app.context
	const who = people[one.person]
	if (!who) throw new Error(`there is no person ${one.person}`)
	if (one.kind === 'recharge') {
		const crashing: typeof notify = async (sql, accountId, note) => {
			await notify(sql, accountId, note)
			await end(sql, how)
		}
		const actor = { adminId: Number(admin.userId), ip: '192.0.2.1' }
		await recharge({ db, env, notify: crashing }, who.userId, { amountPaise: one.paise, requestId, actor })
		return
	}
	await transaction(db, async (sql) => {
		if (one.kind === 'hold') await createCampaign(sql, who.accountId, requestId)
		else await settleSome(sql, who.accountId, one)
		await end(sql, how)
	})
}

/** Creates the campaign, its messages and its hold, or nothing. */
async function createCampaign(sql: Sql, accountId: AccountId, requestId: string): Promise<void> {
	const { id, isNew } = await writeOrder(sql, accountId, {
		name: requestId,
		template: { name: 'hello', language: 'en', category: 'MARKETING', components: [], headerFile: null },
		variables: {},
		audienceType: 'all',
		audienceName: 'All contacts',
		groupId: null,
		source: toContacts({ groupId: null, segment: null }),
		pricePaise: PRICE_PAISE,
		abroadPrices: null,
		requestId,
		opensAt: null,
	})
	if (isNew) await sql`update campaigns set status = 'processing' where account_id = ${accountId} and id = ${id}`
}

async function settleSome(sql: Sql, accountId: AccountId, one: Extract<Step, { kind: 'settle' }>): Promise<void> {
	const [campaign] = await sql<{ id: number }[]>`
		select id from campaigns where account_id = ${accountId} order by id desc limit 1 offset ${one.campaign}
	`
	if (!campaign) return
	// Only a pending message can become unconfirmed. All are locked in the order in which settling locks them.
	const messages = await sql<{ seq: number; status: string }[]>`
		select seq, status from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaign.id}
		order by seq for update
	`
	const isPending = (seq: number) => messages.some((message) => message.seq === seq && message.status === 'pending')
	const updates = one.updates.map(({ seq, status: now, unconfirmed, isStatusUpdate }): MessageUpdate => ({
		campaignId: campaign.id,
		seq,
		status: now,
		at: new Date(),
		wamid: null,
		errorCode: now === 'failed' ? (unconfirmed && isPending(seq) ? -1 : 131026) : null,
		error: now === 'failed' ? 'Not delivered' : null,
		isInQualityCheck: false,
		isStatusUpdate: isStatusUpdate && !unconfirmed,
	}))
	await settle(sql, accountId, { updates, notify: async () => {} })
}
