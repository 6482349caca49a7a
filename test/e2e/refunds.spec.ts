import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats } from '#features/chats/contract.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, LATER, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { exhaustFloor, seqs, messageUpdate } from '#test/scenes/refunds.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button } from './locators.ts'
import { openScreen } from './open-screen.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)

/** Creates an account whose three accepted messages failed by status updates, above its refund limit. */
async function failedAccount() {
	const sender = await sendingAccount(app.product, { contacts: 3 })
	const campaignId = await startCampaign(app.product, sender, LATER)
	await exhaustFloor(context.db, sender.accountId)
	for (const status of ['sent', 'failed'] as const) {
		const updates = seqs(1, 3).map((seq) => messageUpdate({ campaignId }, seq, { status }))
		await transaction(context.db, (sql) => settle(sql, sender.accountId, { updates, notify: context.notify }))
	}
	return { ...sender, campaignId }
}

for (const size of SIZES) {
	test(`the user sees a waiting refund until an admin has approved it, at ${size.width} px`, async () => {
		const waiting = await failedAccount()
		const shop = await app.signedIn(waiting.email)
		await app.withPage({ as: shop, size }, async ({ page }) => {
			await openScreen(page, `/campaign/${waiting.campaignId}`)
			await page.getByText('A refund of ₹3.00 is being checked').waitFor()
			await openScreen(page, statementPaths.payments)
			await page.getByText('A refund of ₹3.00 is being checked').waitFor()
			assert.deepEqual(await axeFindings(page, page.url()), [])
		})
		await app.withPage({ as: admin, size }, async ({ page }) => {
			await openScreen(page, '/admin/dashboard')
			await page.getByText('has refunds to check').first().waitFor()
			await openScreen(page, statementPaths.refunds)
			const approve = page.getByRole('button', { name: `Approve ₹3.00 of ${waiting.name}` })
			await approve.waitFor()
			assert.deepEqual(await axeFindings(page, page.url()), [])
			await page.getByRole('button', { name: `Refuse ₹3.00 of ${waiting.name}` }).click()
			await page.getByRole('dialog', { name: 'Refuse refund' }).getByRole('button', { name: 'Cancel' }).click()
			await approve.click()
			const dialog = page.getByRole('dialog', { name: 'Approve refund' })
			await dialog.getByText('goes back to the wallet of').waitFor()
			assert.deepEqual(await axeFindings(page, page.url()), [])
			await dialog.getByRole('button', { name: 'Approve', exact: true }).dblclick()
			await page.getByText('₹3.00 refunded').waitFor()
			await approve.waitFor({ state: 'detached' })
			await page.getByText('No refunds to check').waitFor()
		})
		assert.deepEqual(await getWallet(context.db, waiting.accountId), { availablePaise: 300, heldPaise: 0 })
		const findings = await moneyFindings(context.db)
		assert.deepEqual(findings, [])
	})
}

for (const size of SIZES)
	test(`an admin passes on what WhatsApp does not charge, and the report shows the refund, at ${size.width} px`, async () => {
		const sender = await sendingAccount(app.product, { contacts: 1 })
		await app.withPage({ as: admin, size }, async ({ page }) => {
			await openScreen(page, `/admin/pricing/management?search=${encodeURIComponent(sender.email)}`)
			await button(page, `Other countries and replies: prices of ${sender.name}`).click()
			await page.getByRole('checkbox', { name: 'Pass on what WhatsApp does not charge' }).check()
			assert.deepEqual(await axeFindings(page, 'more prices'), [])
			await button(page, 'Save Prices').click()
			await page.getByText('Prices updated successfully').waitFor()
			await button(page, `Other countries and replies: prices of ${sender.name}`).click()
			await page.getByRole('checkbox', { name: 'Pass on what WhatsApp does not charge', checked: true }).waitFor()
		})

		const shop = await app.signedIn(sender.email)
		await openFreeEntryPoint(sender)
		const campaignId = await startCampaign(app.product, sender)
		await campaignWhen(app.product, { ...sender, campaignId }, ({ passedOn }) => passedOn?.messages === 1)
		await app.withPage({ as: shop, size }, async ({ page }) => {
			await openScreen(page, `/campaign/${campaignId}`)
			await page.getByText('₹1.00 refunded: WhatsApp did not charge 1 message').waitFor()
			await openScreen(page, statementPaths.payments)
			await page.getByText('₹1.00').first().waitFor()
		})
		assert.deepEqual(await getWallet(context.db, sender.accountId), { availablePaise: 100, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(context.db), [])
	})

/** Lets the account's contact write after an ad and get a reply, which makes every message to them free. */
async function openFreeEntryPoint({ accountId, credentials, token }: Awaited<ReturnType<typeof sendingAccount>>) {
	const { control } = app.product.simulator
	const [contact] = await context.db<{ number: string }[]>`select number from contacts where account_id = ${accountId}`
	const number = contact?.number ?? ''
	await control.openEntryPoint({ phone_number_id: credentials.phone_number_id, from: number })
	await control.waitIdle()
	const { status } = await call(app.product.process.url, chats.send, { body: { number, message: 'Welcome!' }, token })
	assert.equal(status, 200)
	await control.waitIdle()
}
