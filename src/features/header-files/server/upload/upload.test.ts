import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { claimFresh, claimRetries } from '#features/delivery/server/claims/claim-queries.ts'
import { openingHandlers, queueOpenings } from '#features/delivery/server/lifecycle/opener.ts'
import { closeGaps, deleteMessagesTo, resetCounts } from '#features/delivery/server/orders/new-message-queries.ts'
import { privacy } from '#features/privacy/contract.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { saveCredentials } from '#features/whatsapp/server/credentials.ts'
import { acquireLease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction } from '#lib/server/db.ts'
import {
	byNumber,
	newSender,
	numbersOf,
	order,
	pdf,
	setOpening,
	throughOf,
	upload,
	type FileSender,
} from '#test/file-scene.ts'
import { campaignWhen, LATER, launchProduct } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { deleteSet, lockSet } from '../sets/set-queries.ts'
import { deleteUnneeded } from './clean-up.ts'
import { uploadNext } from './upload.ts'

const product = await launchProduct({ env: { ROLE: 'http' }, handlers: openingHandlers })

/** Orders a campaign that is due now to people with a file each and stays pending, as the process has no worker. */
async function dueOrder(people: number): Promise<{ sender: FileSender; campaignId: number; set: string }> {
	const sender = await newSender(product, people)
	const files = (await numbersOf(product, sender)).map((number): [string, Buffer] => [`${number}.pdf`, pdf(number)])
	const set = await upload(product, sender, files)
	const campaignId = await order(product, sender, { choice: byNumber(set), ...LATER })
	await setOpening(product, { ...sender, campaignId }, '0 minutes')
	return { sender, campaignId, set }
}

/** Returns Meta's ids of the files in the messages of a campaign by the number that uploaded them; null before the upload. */
async function uploadersOf({ accountId }: FileSender, campaignId: number): Promise<(string | null)[]> {
	const rows = await product.db<{ number: string | null }[]>`
		select h.phone_number_id as number from campaign_messages m
		left join header_media h on h.account_id = m.account_id
			and h.media_id = split_part(m.merge_values[array_length(m.merge_values, 1)], ' ', 2)
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId}
	`
	return rows.map(({ number }) => number)
}

test('a campaign that opens for a new number during an upload for the earlier one may claim only files of the new number', async () => {
	const { sender, campaignId } = await dueOrder(2)
	const { context } = product.process
	const next = await product.simulator.control.createAccount()
	let isChanged = false
	const get = async (key: string) => {
		if (!isChanged) {
			isChanged = true
			await saveCredentials(context, sender.userId, next)
			await queueOpenings(product.db)
			await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'processing')
		}
		return context.storage.get(key)
	}
	const changing = { ...context, storage: { ...context.storage, get } }
	assert.equal(await uploadNext(changing, sender.accountId), false)
	assert.equal(await throughOf(product, sender, campaignId), 0)
	assert.equal(await uploadNext(context, sender.accountId), true)
	assert.equal(await throughOf(product, sender, campaignId), 2)
	const { phone_number_id } = next
	assert.deepEqual(await uploadersOf(sender, campaignId), [phone_number_id, phone_number_id])
})

test('messages that get new numbers after the upload of their files may be claimed once all their files are uploaded', async () => {
	const { sender, campaignId } = await dueOrder(22)
	const { accountId } = sender
	const { context } = product.process
	await uploadNext(context, accountId)
	assert.equal(await throughOf(product, sender, campaignId), 20)
	const [first] = await numbersOf(product, sender)
	await transaction(product.db, async (sql) => {
		await deleteMessagesTo(sql, accountId, { campaignId, people: sql`select ${first}::text as number` })
		await closeGaps(sql, accountId, { campaignId, count: 21 })
		await resetCounts(sql, accountId, { campaignId, count: 21 })
	})
	assert.equal(await throughOf(product, sender, campaignId), 0)
	while ((await throughOf(product, sender, campaignId)) < 21) assert.equal(await uploadNext(context, accountId), true)
	assert.ok(!(await uploadersOf(sender, campaignId)).includes(null))
})

test('messages are claimed for the first time or again up to the last one whose file is uploaded', async () => {
	const { sender, campaignId } = await dueOrder(22)
	const { accountId } = sender
	await product.db`update campaigns set status = 'processing', started_at = now() where id = ${campaignId}`
	const lease = await acquireLease(product.db, accountId, { worker: randomUUID(), seen: { worker: null, epoch: 0 } })
	assert.ok(lease)
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, attempts, retry_at)
		select ${accountId}, ${campaignId}, seq, 1, now() from unnest(array[1, 22]) seq
	`
	let batch = 0
	const claimed = async () => {
		const [first, second] = [++batch, ++batch].map((number) => ({ lease, batch: number, campaignId, limit: 100 }))
		assert.ok(first && second)
		const fresh = await transaction(product.db, (sql) => claimFresh(sql, accountId, first))
		const again = await transaction(product.db, (sql) => claimRetries(sql, accountId, second))
		return [fresh, again].map((messages) => messages.map(({ seq }) => seq))
	}
	assert.deepEqual(await claimed(), [[], []])
	await uploadNext(product.process.context, accountId)
	const [fresh, again] = await claimed()
	assert.deepEqual([fresh?.length, again], [20, [1]])
	await uploadNext(product.process.context, accountId)
	assert.deepEqual(await claimed(), [[21, 22], [22]])
})

test('a file that is deleted at Meta while the messages of another campaign are about to name it is uploaded again', async () => {
	const { sender, campaignId, set } = await dueOrder(2)
	const { accountId } = sender
	const { context } = product.process
	await uploadNext(context, accountId)
	await product.db`update campaigns set finished_at = now() - interval '31 days' where id = ${campaignId}`
	await product.db`update header_media set uploaded_at = now() - interval '2 hours' where account_id = ${accountId}`
	const [first] = await product.db<{ key: string }[]>`
		delete from header_media where account_id = ${accountId} and file_key = (
			select min(file_key) from header_media where account_id = ${accountId}
		) returning file_key as key
	`
	await transaction(product.db, (sql) => postRecharge(sql, accountId, { reference: 'again', amountPaise: 200 }))
	const again = await order(product, sender, { choice: byNumber(set), ...LATER })
	await setOpening(product, { ...sender, campaignId: again }, '0 minutes')
	let deleted = 0
	const get = async (key: string) => {
		if (key === first?.key && deleted === 0) deleted = await deleteUnneeded(context)
		return context.storage.get(key)
	}
	const deleting = { ...context, storage: { ...context.storage, get } }
	assert.equal(await uploadNext(deleting, accountId), false)
	assert.equal(deleted, 1)
	assert.equal(await uploadNext(context, accountId), true)
	assert.ok(!(await uploadersOf(sender, again)).includes(null))
})

test('files that were uploaded 25 days before the campaign opens are uploaded again', async () => {
	const { sender, campaignId } = await dueOrder(1)
	const { accountId } = sender
	await uploadNext(product.process.context, accountId)
	assert.equal(await throughOf(product, sender, campaignId), 1)
	await product.db`update campaigns set created_at = now() - interval '40 days' where id = ${campaignId}`
	await product.db`update header_media set uploaded_at = now() - interval '26 days' where account_id = ${accountId}`
	await queueOpenings(product.db)
	await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'processing')
	assert.equal(await throughOf(product, sender, campaignId), 0)
	assert.equal(await uploadNext(product.process.context, accountId), true)
	const named = await product.db`
		select 1 from header_media h join campaign_messages m on m.account_id = h.account_id
			and h.media_id = split_part(m.merge_values[array_length(m.merge_values, 1)], ' ', 2)
		where m.campaign_id = ${campaignId} and h.uploaded_at > now() - interval '1 hour'
	`
	assert.equal(named.length, 1)
})

test('a message whose file is gone fails alone, and an erased person’s file is not uploaded', async () => {
	const { sender, campaignId } = await dueOrder(4)
	const { accountId } = sender
	const [removed = '', lost = '', erased = '', other = ''] = await numbersOf(product, sender)
	await product.db`delete from header_files where account_id = ${accountId} and number = ${removed}`
	const [file] = await product.db<{ key: string }[]>`
		select file_key as key from header_files where account_id = ${accountId} and number = ${lost}
	`
	await product.process.context.storage.delete(file?.key ?? '')
	const { url } = product.process
	await call(url, privacy.erase, { body: { number: `+${erased}` }, token: sender.token })
	while ((await throughOf(product, sender, campaignId)) < 4)
		if (!(await uploadNext(product.process.context, accountId))) break
	const rows = await product.db`
		select number, status, error_code as code from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and number <> ${other} order by seq
	`
	const { code } = OWN_ERRORS.notUploaded
	assert.deepEqual(rows.slice(0, 2), [
		{ number: removed, status: 'failed', code },
		{ number: lost, status: 'failed', code },
	])
	assert.ok(!rows.some(({ number }) => number === erased))
	const uploaded = await product.db`select 1 from header_media where account_id = ${accountId}`
	assert.equal(uploaded.length, 1)
})

test('a set of files is not deleted while an order that uses it is being written', async () => {
	const { sender, campaignId, set } = await dueOrder(1)
	const { accountId } = sender
	await product.db`update campaigns set files_through = null where id = ${campaignId}`
	const deleting = await transaction(product.db, async (sql) => {
		assert.ok(await lockSet(sql, accountId, Number(set)))
		const pending = transaction(product.db, (other) => deleteSet(other, accountId, Number(set)))
		await until(async () => (await waitingForLocks()) > 0)
		await sql`update campaigns set files_through = 0 where id = ${campaignId}`
		return { pending }
	})
	assert.equal(await deleting.pending, false)
	assert.equal(await lockSet(product.db, accountId, Number(set)), true)
})

async function waitingForLocks(): Promise<number> {
	const rows = await product.db`
		select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
	`
	return rows.length
}
