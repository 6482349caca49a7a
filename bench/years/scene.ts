import * as months from '#features/delivery/server/months/month-queries.ts'
import { FIRST_MONTH, idsOf, nameOf } from '#features/delivery/server/months/month.ts'
import { connect, type Db, type AccountId } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { LATER, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { startSendingProduct } from '../programs/sending-product.ts'
import { openPayer } from '../scenes/campaigns-data.ts'
import { CAMPAIGN_ROWS, countSent, insertSent, numberOf, recharge } from '../scenes/sent-campaigns.ts'

const ACCOUNTS = 20
const DAYS_OF_MONTH = 30
/** Number of messages of the campaign that is still to be sent. */
const WAITING_ROWS = 10_000
/** Number of messages that each person has received. */
const MESSAGES_OF_PERSON = 5
const BALANCE_PAISE = 10_000_000_000
/** Fill factor that makes rows as dense as those of a sent campaign, whose pages have no room left. */
const FILLED_FACTOR = 59

/** A database with campaigns of 20 accounts, one of which has another campaign to send. */
export interface Scene {
	rows: number
	months: number
	database: TestDatabase
	accountId: AccountId
	/** Id of the account's user; `token` is that of an open session. */
	userId: string
	token: string
	/** Phone number of a person who has received messages. */
	person: string
	/** Ids of the account's sent campaigns, oldest first. */
	sent: number[]
	/** Id of the campaign to be sent. */
	waiting: number
}

/** Fills a database with `rows` messages in the partitions of `months` months; a single month is in the first partition. */
export async function openScene(given: { rows: number; months: number }): Promise<Scene> {
	const database = await createTestDatabase()
	const product = await startSendingProduct(database.url, { ROLE: 'http' })
	const filling = connect(database.url, { timeoutMs: 0 })
	const sender = await sendingAccount(product, { contacts: WAITING_ROWS, balancePaise: BALANCE_PAISE })
	// The recipients are among the people who have received messages.
	await filling.unsafe(`
		update contacts c set number = ${numberOf('n.n')}
		from (select id, row_number() over (order by id) as n from contacts where account_id = ${sender.accountId}) n
		where c.account_id = ${sender.accountId} and c.id = n.id`)
	const accountIds = [sender.accountId]
	while (accountIds.length < ACCOUNTS) {
		const { accountId } = await openPayer(filling)
		await recharge(filling, accountId)
		accountIds.push(accountId)
	}
	const sent: number[] = []
	for (let month = 0; month < given.months; month++) {
		const ids = await fillMonth(filling, accountIds, { ...given, month })
		sent.push(...(ids.get(sender.accountId) ?? []))
		if (given.months > 1) console.log(`filled month ${month + 1} of ${given.months}`)
	}
	const waiting = await startCampaign(product, sender, LATER)
	await filling`update campaigns set status = 'processing', started_at = now() where id = ${waiting}`
	await product.stop()
	await filling`vacuum analyze`
	const [person] = await filling<{ number: string }[]>`select ${verbatim(numberOf('20'))} as number`
	await filling.end()
	const { accountId, userId, token } = sender
	return { ...given, database, accountId, userId, token, person: person?.number ?? '', sent, waiting }
}

interface Filling {
	rows: number
	months: number
	month: number
}

/**
 * Writes a month's campaigns of each account. Builds the indexes over all rows, because PostgreSQL requires them to attach the
 * partition.
 */
async function fillMonth(
	db: Db,
	accountIds: readonly AccountId[],
	{ rows, months: count, month }: Filling,
): Promise<Map<AccountId, number[]>> {
	const daysAgo = (count - 1 - month) * DAYS_OF_MONTH + 2
	const campaigns = Math.max(1, Math.round(rows / ACCOUNTS / CAMPAIGN_ROWS))
	const before = Math.floor((campaigns * month) / count)
	const range = idsOf(count > 1 ? FIRST_MONTH + month : FIRST_MONTH - 1)
	const into = `campaign_messages_${nameOf(range.month)}`
	const [settings] = await db<{ text: string }[]>`
		select array_to_string(reloptions, ', ') as text from pg_class where relname = 'campaign_messages_first'
	`
	if (count > 1) {
		await db.unsafe(`create table ${into} (like campaign_messages including defaults)`)
		await months.moveIdsAllAccounts(db, range.firstId)
	}
	await db.unsafe(`alter table ${into} set (fillfactor = ${FILLED_FACTOR})`)
	const ids = new Map<AccountId, number[]>()
	for (const accountId of accountIds) {
		const given = {
			campaigns: Math.floor((campaigns * (month + 1)) / count) - before,
			groups: Math.max(1, Math.round(campaigns / MESSAGES_OF_PERSON)),
			firstGroup: before,
		}
		if (given.campaigns > 0) ids.set(accountId, await insertSent(db, accountId, { ...given, daysAgo, into }))
	}
	if (count > 1) await months.createPartitionsAllAccounts(db, range)
	await db.unsafe(`alter table ${into} set (${settings?.text ?? ''})`)
	for (const [accountId, ofAccount] of ids) await countSent(db, accountId, { ids: ofAccount, daysAgo })
	await db.unsafe(`vacuum analyze ${into}`)
	return ids
}
