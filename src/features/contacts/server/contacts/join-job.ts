import { readNumber } from '#lib/phone/phone-reader.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import type { Notify, NewNotification } from '#lib/server/db/channels/notify.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { addJobs, handlerOf, jobKind, Postponed } from '#lib/server/jobs/jobs.ts'
import * as queries from './join-queries.ts'
import { joinSpellings, type SamePerson } from './join.ts'

/** Two numbers whose contacts were joined into one. */
export interface JoinedPerson extends SamePerson {
	name: string
}

interface JoinDeps {
	db: Db
	notify: Notify
	/** Returns the notification that names joined contacts. */
	wordsFor: (joined: readonly JoinedPerson[]) => NewNotification
	/** Converts the numbers that other features store for the account, in bounded batches. */
	moveOthers: (accountId: AccountId) => Promise<void>
}

/**
 * Job that re-reads stored numbers with the current number reader. A migration adds it; each run handles one account
 * and adds the run for the next account. Idempotent.
 */
const joinNumbersJob = jobKind<{ after: number }>('join-numbers', { total: 1, each: 1 })

const BATCH = 500
/** Number of contacts that one notification names. */
const MAX_NAMED = 10

export const joinHandlers = (deps: JoinDeps) => [
	handlerOf(joinNumbersJob, async ({ data: { after }, signal, isMine }) => {
		const { db, notify, wordsFor, moveOthers } = deps
		const accountId = await queries.findNextAccountAllAccounts(db, after)
		if (accountId === undefined) return
		const mayContinue = async () => !signal.aborted && (await isMine())
		for await (const joined of joinAccount(db, accountId, mayContinue))
			for (let from = 0; from < joined.length; from += MAX_NAMED)
				await notify(db, accountId, wordsFor(joined.slice(from, from + MAX_NAMED)))
		if (!(await mayContinue())) throw new Postponed(1)
		await moveOthers(accountId)
		await addJobs(db, joinNumbersJob, [{ after: Number(accountId) }])
	}),
]

/** Joins the contacts and opt-outs of an account in batches. Yields the pairs of contacts that were joined. */
async function* joinAccount(
	db: Db,
	accountId: AccountId,
	mayContinue: () => Promise<boolean>,
): AsyncGenerator<readonly JoinedPerson[]> {
	for (let after = 0; await mayContinue();) {
		const contacts = await queries.listForeignContacts(db, accountId, { after, limit: BATCH })
		yield await joinAll(
			db,
			accountId,
			contacts.map(({ number }) => number),
		)
		const last = contacts.at(-1)
		if (!last) break
		after = last.id
	}
	for (let after = ''; await mayContinue();) {
		const numbers = await queries.listForeignOptOuts(db, accountId, { after, limit: BATCH })
		yield await joinAll(db, accountId, numbers)
		const last = numbers.at(-1)
		if (last === undefined) break
		after = last
	}
}

async function joinAll(db: Db, accountId: AccountId, numbers: readonly string[]): Promise<JoinedPerson[]> {
	const joined: JoinedPerson[] = []
	for (const from of numbers) {
		const into = readNumber(`+${from}`)
		if (into === null || into === from) continue
		const name = await retriedTransaction(db, (sql: Sql) => joinSpellings(sql, accountId, { from, into }))
		if (name !== null) joined.push({ from, into, name })
	}
	return joined
}
