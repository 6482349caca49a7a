import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getWallet, post, type Posting } from '#features/wallet/server/ledger.ts'
import { reconcileWallet } from '#features/wallet/server/reconciliation.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { account } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { Random } from '#test/soak/random.ts'
import { statements } from '../contract.ts'
import { readMonth } from './pdf/month-statement.ts'
import { listLines, type Line, type StatementFilter } from './queries.ts'

const app = await launchTestApp()
const { db } = app.context

interface CampaignMoney {
	isApi: boolean
	held: number
	charged: number
	postings: number
}

/** Posts random entries to one wallet: API messages, campaigns, retries, recharges, refunds, and changes of day. */
class History {
	readonly #accountId: AccountId
	readonly #random: Random
	readonly #campaigns = new Map<number, CampaignMoney>()
	#recharges = 0

	constructor(accountId: AccountId, seed: string) {
		this.#accountId = accountId
		this.#random = new Random(seed)
	}

	#below(limit: number): number {
		return Math.floor(this.#random.next() * limit)
	}

	async post(entries: number): Promise<void> {
		await this.#recharge()
		for (let entry = 1; entry < entries; entry++) {
			const dice = this.#random.next()
			if (dice < 0.06) await this.#recharge()
			else if (dice < 0.09) await this.#passDay()
			else if (dice < 0.14) await this.#hold(1000 + this.#campaigns.size, false)
			else if (dice < 0.5) await this.#hold(this.#below(3) + 1, true)
			else await this.#settle()
		}
	}

	#recharge() {
		const payment = { reference: `recharge:${++this.#recharges}`, amountPaise: 30 * (1 + this.#below(10)) }
		return transaction(db, (sql) => postRecharge(sql, this.#accountId, payment))
	}

	/** Backdates the statement's lines by one day, as if a day had passed. */
	async #passDay(): Promise<void> {
		await db`update wallets set statement_day = statement_day - 1 where account_id = ${this.#accountId}`
		await db`update statement_lines set day = day - 1 where account_id = ${this.#accountId}`
	}

	async #hold(id: number, isApi: boolean): Promise<void> {
		const campaign = this.#campaigns.get(id) ?? { isApi, held: 0, charged: 0, postings: 0 }
		const messages = 1 + this.#below(isApi ? 2 : 5)
		if (!(await this.#post('hold', id, { campaign, messages }))) return
		campaign.held += messages
		this.#campaigns.set(id, campaign)
	}

	async #settle(): Promise<void> {
		const [id, campaign] = this.#random.pick([...this.#campaigns]) ?? []
		if (id === undefined || !campaign) return
		const kind = this.#random.pick(['capture', 'capture', 'release', 'refund'] as const) ?? 'capture'
		const messages = Math.min(1 + this.#below(4), kind === 'refund' ? campaign.charged : campaign.held)
		if (messages === 0) return
		await this.#post(kind, id, { campaign, messages })
		if (kind === 'refund') campaign.charged -= messages
		else campaign.held -= messages
		if (kind === 'capture') campaign.charged += messages
	}

	/** Posts at 30 paise a message, sometimes twice with the same reference. Returns false when the wallet is short. */
	async #post(
		kind: Posting['kind'],
		campaignId: number,
		{ campaign, messages }: { campaign: CampaignMoney; messages: number },
	): Promise<boolean> {
		const posting: Posting = {
			kind,
			campaignId,
			reference: `${kind}:${campaignId}:${campaign.postings}`,
			paise: 30 * messages,
			messageCount: messages,
			isMore: campaign.isApi && campaign.postings > 0,
		}
		const moved = await transaction(db, (sql) => post(sql, this.#accountId, posting))
		if (!moved) return false
		campaign.postings++
		if (this.#random.next() < 0.1) await transaction(db, (sql) => post(sql, this.#accountId, posting))
		return true
	}
}

const balanceOf = ({ id, availablePaise, heldPaise }: Line) => ({ id, availablePaise, heldPaise })

/**
 * Asserts that each line's balance is the one before it plus its change, from oldest to newest. Returns the last
 * balances.
 */
function addUp(lines: Line[]) {
	let balance = { availablePaise: 0, heldPaise: 0 }
	for (const { id, kind, availableChangePaise, heldChangePaise, availablePaise, heldPaise } of lines.toReversed()) {
		balance = {
			availablePaise: balance.availablePaise + availableChangePaise,
			heldPaise: balance.heldPaise + heldChangePaise,
		}
		assert.deepEqual({ availablePaise, heldPaise }, balance, `line ${id} (${kind})`)
		assert.ok(availablePaise >= 0 && heldPaise >= 0, `line ${id} (${kind}) leaves ${availablePaise} and ${heldPaise}`)
	}
	return balance
}

const last = (lines: Line[]) => lines.at(-1)?.id ?? null

/** Reads all lines page by page: by page number, and by the last line of the preceding page. */
async function readPages(
	accountId: AccountId,
	filter: StatementFilter,
	limit: number,
): Promise<[Line[], Line[], Line[]]> {
	const [byOffset, byCursor, byParts]: [Line[], Line[], Line[]] = [[], [], []]
	for (let page: Line[] | undefined; page === undefined || page.length > 0; byOffset.push(...page))
		page = await listLines(db, accountId, { filter, limit, offset: byOffset.length })
	for (let page: Line[] | undefined; page === undefined || page.length > 0; byCursor.push(...page))
		page = await listLines(db, accountId, { filter, limit, before: last(byCursor) })
	for (let page: Line[] | undefined; page === undefined || page.length > 0; byParts.push(...page))
		page = await listLines(db, accountId, { filter, limit, before: last(byParts), isByParts: true })
	return [byOffset, byCursor, byParts]
}

/** Number of random histories in each of four tests. */
const HISTORIES = 2

for (const lane of [0, 1, 2, 3])
	test(`statements.list of random histories returns lines that add up to the wallet, for any page length and filter (${lane})`, async () => {
		for (let n = 0; n < HISTORIES; n++) {
			const seed = `statement ${lane} ${n}`
			const { accountId } = await account(app.context)
			await new History(accountId, seed).post(70)
			const all = await listLines(db, accountId, { filter: {}, limit: 1000 })
			assert.deepEqual(addUp(all), { ...(await getWallet(db, accountId)) }, seed)
			for (const entriesAtOnce of [1, 2, 5, 1000])
				assert.deepEqual(
					await reconcileWallet(db, accountId, { since: null, entriesAtOnce }),
					[],
					`${seed} by ${entriesAtOnce}`,
				)
			const day = indianDay(Date.now() - DAY_MS)
			const filters: [StatementFilter, (line: Line & { campaign: number; day: string }) => boolean][] = [
				[{}, () => true],
				[{ kind: 'capture' }, ({ kind }) => kind === 'capture'],
				[{ campaign: '1' }, ({ campaign }) => campaign === 1],
				[{ from: day, to: day }, (line) => line.day === day],
			]
			const facts = await db<{ id: number; campaign: number; day: string }[]>`
				select id, campaign_id as campaign, to_char(day, 'YYYY-MM-DD') as day from statement_lines where account_id = ${accountId}
			`
			const factsOf = new Map(facts.map((row) => [row.id, row]))
			for (const [filter, isWanted] of filters) {
				const expected = all
					.filter((line) => isWanted({ ...line, ...(factsOf.get(line.id) ?? { campaign: 0, day: '' }) }))
					.map(balanceOf)
				for (const limit of [3, 7])
					for (const pages of await readPages(accountId, filter, limit))
						assert.deepEqual(pages.map(balanceOf), expected, `${seed} ${JSON.stringify(filter)} by ${limit}`)
			}
			await checkMonth(accountId, seed)
		}
	})

/** Asserts that the month's PDF rows lead from opening to closing balance without a negative balance. */
async function checkMonth(accountId: AccountId, seed: string): Promise<void> {
	await readMonth(db, { accountId, month: indianDay(Date.now()).slice(0, 7) }, async ({ opening, closing, rows }) => {
		let balance = opening.availablePaise + opening.heldPaise
		let held = opening.heldPaise
		for await (const batch of rows())
			for (const row of batch) {
				balance += row.inPaise - row.outPaise
				held += row.heldChangePaise
				assert.deepEqual([row.balancePaise, row.heldPaise], [balance, held], seed)
				assert.ok(held >= 0 && balance >= held, `${seed}: ${balance} with ${held} on hold`)
			}
		assert.deepEqual([balance, held], [closing.availablePaise + closing.heldPaise, closing.heldPaise], seed)
	})
}

test('reconcileWallet finds nothing when two templates alternate, also while their entries are written', async () => {
	const { accountId } = await account(app.context, { balancePaise: 10_000 })
	const write = async () => {
		for (let n = 0; n < 60; n++)
			for (const kind of ['hold', 'capture'] as const) {
				const campaignId = 1 + (n % 2)
				const posting = { kind, reference: `${kind}:${n}`, paise: 30, campaignId, messageCount: 1, isMore: n > 1 }
				assert.ok(await transaction(db, (sql) => post(sql, accountId, posting)))
			}
	}
	const check = async () => {
		for (let n = 0; n < 60; n++)
			assert.deepEqual(
				await reconcileWallet(db, accountId, { since: null, entriesAtOnce: 1 + (n % 20) }),
				[],
				`by ${1 + (n % 20)} entries`,
			)
	}
	await Promise.all([write(), check()])
	await check()
	const lines = await listLines(db, accountId, { filter: {}, limit: 100 })
	assert.equal(lines.length, 7, 'the recharge, the first message, and four lines of both templates')
	addUp(lines)
})

test('listLines with isByParts returns batches that add up when more money is held between them', async () => {
	const { accountId } = await account(app.context, { balancePaise: 10_000 })
	const move = (kind: 'hold' | 'capture', n: number) =>
		transaction(db, (sql) =>
			post(sql, accountId, {
				kind,
				reference: `${kind}:${n}`,
				paise: 30,
				campaignId: 1,
				messageCount: 1,
				isMore: n > 0,
			}),
		)
	await move('hold', 0)
	await move('capture', 0)
	const newest = await listLines(db, accountId, { filter: {}, limit: 1, isByParts: true })
	await move('hold', 1)
	const before = newest.at(-1)?.id ?? null
	addUp([...newest, ...(await listLines(db, accountId, { filter: {}, limit: 1, before, isByParts: true }))])
})

test('statements.list shows a hold of 90 and a charge of 90, with balances, for three API messages at 30 paise', async () => {
	const { accountId } = await account(app.context, { balancePaise: 10_000 })
	for (let n = 0; n < 3; n++)
		for (const kind of ['hold', 'capture'] as const) {
			const posting = { kind, reference: `${kind}:${n}`, paise: 30, campaignId: 1, messageCount: 1, isMore: n > 0 }
			assert.ok(await transaction(db, (sql) => post(sql, accountId, posting)))
		}
	const lines = await listLines(db, accountId, { filter: {}, limit: 10 })
	assert.deepEqual(
		lines.map((line) => [line.kind, line.messageCount, line.availablePaise, line.heldPaise]),
		[
			['capture', 3, 9910, 0],
			['hold', 3, 9910, 90],
			['recharge', null, 10_000, 0],
		],
	)
})

test('statements.export of 500 API and campaign entries returns rows whose balances add up', async () => {
	const person = await account(app.context)
	await new History(person.accountId, 'export').post(500)
	const params = { params: { userId: person.userId }, query: {} }
	const text = await (await app.call(statements.export, params, person)).body.text()
	// The table's last rows are the oldest lines.
	const rows = text.trim().split('\r\n').slice(1).toReversed()
	assert.ok(rows.length > 150, `${rows.length} lines`)
	let [available, held] = [0, 0]
	for (const row of rows) {
		const [availableChange, heldChange, availableAfter, heldAfter] = row.split(',').slice(4, 8).map(paiseOf)
		available += availableChange ?? NaN
		held += heldChange ?? NaN
		assert.deepEqual([availableAfter, heldAfter], [available, held], row)
		assert.ok(available >= 0 && held >= 0, row)
	}
	assert.deepEqual({ availablePaise: available, heldPaise: held }, { ...(await getWallet(db, person.accountId)) })
})

const paiseOf = (cell: string) => Math.round(Number(cell) * 100)
