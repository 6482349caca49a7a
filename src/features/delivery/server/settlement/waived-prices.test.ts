import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import type { MessageUpdate } from './message-changes.ts'
import { settle } from './settle.ts'

const product = await launchProduct({ env: { ROLE: 'http' } })

test('a waived message with a price of its own stays free: it is not refunded, and pays for no other message that fails', async () => {
	const sender = await sendingAccount(product, { contacts: 4, balancePaise: 1100 })
	const { accountId } = sender
	const { db } = product
	await db`
		insert into market_prices (account_id, market, category, price_paise) values (${accountId}, 'AE', 'marketing', 400)
	`
	await db`
		update contacts set number = '9715000' || right(number, 5)
		where account_id = ${accountId} and id in (select id from contacts where account_id = ${accountId} order by id limit 2)
	`
	const campaignId = await startCampaign(product, sender, LATER)
	const rows = await db<{ seq: number; price: number | null }[]>`
		select seq, price_paise as price from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} order by price_paise nulls last, seq
	`
	assert.deepEqual(
		rows.map(({ price }) => price),
		[400, 400, null, null],
	)
	const [paid = 0, waived = 0, unpaid = 0, refunded = 0] = rows.map(({ seq }) => seq)
	const accepted = { at: new Date(), errorCode: null, error: null, isInQualityCheck: false }
	const sent = (seq: number): MessageUpdate => ({ ...accepted, campaignId, seq, status: 'sent', wamid: `w${seq}` })
	const failed = (seq: number, errorCode = 131026): MessageUpdate => ({
		...sent(seq),
		status: 'failed',
		errorCode,
		error: 'Undeliverable',
	})
	const unconfirmed = (seq: number) => failed(seq, OWN_ERRORS.unconfirmed.code)
	const apply = (...updates: MessageUpdate[]) =>
		transaction(db, (sql) => settle(sql, accountId, { updates, notify: product.process.context.notify }))
	await apply(sent(paid), sent(refunded), unconfirmed(waived), unconfirmed(unpaid))
	assert.deepEqual(await getWallet(db, accountId), { availablePaise: 600, heldPaise: 0 })
	// Another order takes the released money, so that neither confirmation can be paid for.
	await db`update prices set marketing_paise = 200 where account_id = ${accountId}`
	await db`delete from market_prices where account_id = ${accountId}`
	await db`
		delete from contacts where account_id = ${accountId}
			and id = (select max(id) from contacts where account_id = ${accountId})
	`
	await startCampaign(product, sender, LATER)
	await apply(sent(waived), sent(unpaid))
	assert.deepEqual(await getWallet(db, accountId), { availablePaise: 0, heldPaise: 600 })
	// The message at 400 paise was charged and is refunded, although one at the campaign's price was waived.
	await apply(failed(paid))
	assert.equal((await getWallet(db, accountId)).availablePaise, 400)
	await apply(failed(waived))
	assert.equal((await getWallet(db, accountId)).availablePaise, 400)
	// One of the two at the campaign's price was waived: the first failure returns nothing, the second one its price.
	await apply(failed(unpaid))
	assert.equal((await getWallet(db, accountId)).availablePaise, 400)
	await apply(failed(refunded))
	assert.equal((await getWallet(db, accountId)).availablePaise, 500)
	assert.deepEqual(await moneyFindings(db), [])
})
