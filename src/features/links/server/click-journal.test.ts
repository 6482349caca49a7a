import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { AccountId } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { until } from '#test/until.ts'
import { openClickJournal, type AccountClick } from './click-journal.ts'
import type { Click } from './click-queries.ts'

const clickOf = (id: string, accountId = 5): AccountClick => ({
	accountId: accountId as AccountId,
	campaignId: 1_000_000_007,
	seq: 3,
	button: 0,
	atMs: 1_790_000_000_000,
	id,
})

/** Returns a click's line in a file. */
const line = (id: string) => `[5,1000000007,3,0,1790000000000,"${id}"]\n`

/** Opens a journal whose database can refuse writes of all accounts or of one account. */
async function journal(t: TestContext, given: string | null = null, log = createLog('silent')) {
	const folder = given ?? (await mkdtemp(join(tmpdir(), 'clicks-')))
	t.after(() => rm(folder, { recursive: true, force: true }))
	const written: { accountId: AccountId; click: Click }[] = []
	const state = { isAway: false, awayFor: null as number | null, writes: 0 }
	const opened = await openClickJournal({
		folder,
		log,
		async probe() {
			if (state.isAway) throw new Error('the database is away')
		},
		async write(accountId, clicks) {
			state.writes++
			if (state.isAway || state.awayFor === accountId) throw new Error('the database is away')
			written.push(...clicks.map((click) => ({ accountId, click })))
		},
	})
	t.after(() => opened.stop())
	const append = (click: AccountClick) => opened.append(click)
	const stop = () => opened.stop()
	return { append, stop, folder, state, ids: () => written.map(({ click }) => click.id).toSorted(), written }
}

test('append stores each click until the database has it, once and with its account, and then deletes the files', async (t) => {
	const { append, ids, folder, written } = await journal(t)
	const wanted = Array.from({ length: 500 }, (_, at) => `click-${String(at).padStart(3, '0')}`)
	await Promise.all(wanted.map((id, at) => append(clickOf(id, at % 3))))
	await until(async () => ids().length === wanted.length)
	assert.deepEqual(ids(), wanted)
	const seventh = clickOf('click-007', 7 % 3)
	assert.deepEqual(
		written.find(({ click }) => click.id === seventh.id),
		{ accountId: seventh.accountId, click: seventh },
	)
	await until(async () => (await readdir(folder)).length === 0)
})

test('the database has every click once that was appended while the journal drained', async (t) => {
	const { append, written } = await journal(t)
	let count = 0
	const visitor = async () => {
		while (written.length < 20_000) await append(clickOf(`click-${count++}`))
	}
	await Promise.all(Array.from({ length: 20 }, visitor))
	await until(async () => written.length >= count)
	assert.equal(new Set(written.map(({ click }) => click.id)).size, written.length)
	assert.equal(written.length, count)
})

test('the journal writes clicks of an outage when the database is back', async (t) => {
	const { append, state, ids } = await journal(t)
	state.isAway = true
	await append(clickOf('a'))
	await new Promise((resolve) => setTimeout(resolve, 600))
	await append(clickOf('b'))
	assert.equal(state.writes, 0, 'no file is read before the database answers')
	state.isAway = false
	await until(async () => ids().length === 2)
	assert.deepEqual(ids(), ['a', 'b'])
})

test('the journal writes clicks of other accounts while one account’s machine is away, and that account’s clicks afterwards', async (t) => {
	const { append, state, ids, folder } = await journal(t)
	state.awayFor = 1
	await Promise.all([append(clickOf('away-1', 1)), append(clickOf('here-1', 2))])
	await until(async () => ids().length === 1)
	await Promise.all([append(clickOf('away-2', 1)), append(clickOf('here-2', 2))])
	await until(async () => ids().length === 2)
	assert.deepEqual(ids(), ['here-1', 'here-2'])
	state.awayFor = null
	await until(async () => ids().length === 4)
	assert.deepEqual(ids(), ['away-1', 'away-2', 'here-1', 'here-2'])
	await until(async () => (await readdir(folder)).length === 0)
})

test('the journal writes an abandoned file of a crashed process without its incomplete last line, and leaves fresh files', async (t) => {
	const folder = await mkdtemp(join(tmpdir(), 'clicks-'))
	const left = join(folder, 'crashed-000000001.clicks')
	await writeFile(left, `${line('a')}${line('b')}${line('c').slice(0, 20)}`)
	const fresh = join(folder, 'running-000000001.clicks')
	await writeFile(fresh, line('d'))
	const longAgo = new Date(Date.now() - 60_000)
	await utimes(left, longAgo, longAgo)
	const { ids } = await journal(t, folder)
	await until(async () => ids().length === 2)
	await until(async () => !(await readdir(folder)).includes('crashed-000000001.clicks'))
	assert.deepEqual(ids(), ['a', 'b'])
	assert.ok((await readdir(folder)).includes('running-000000001.clicks'))
})

test('a journal without clicks reads its folder once', async (t) => {
	const folder = await mkdtemp(join(tmpdir(), 'clicks-'))
	const left = join(folder, 'crashed-000000001.clicks')
	await writeFile(left, line('a'))
	const longAgo = new Date(Date.now() - 60_000)
	await utimes(left, longAgo, longAgo)
	const log = createLog('silent')
	const warn = t.mock.method(log, 'warn')
	await journal(t, folder, log)
	await until(async () => (await readdir(folder)).length === 0)
	// A journal that reads a missing folder logs a warning.
	await rm(folder, { recursive: true })
	await new Promise((resolve) => setTimeout(resolve, 800))
	assert.equal(warn.mock.callCount(), 0)
})

test('stop writes the clicks that were appended last', async (t) => {
	const { append, stop, ids } = await journal(t)
	await append(clickOf('last'))
	await stop()
	assert.deepEqual(ids(), ['last'])
})
