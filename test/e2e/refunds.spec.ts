import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { LATER, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { exhaustFloor, seqs, messageUpdate } from '#test/scenes/refunds.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'

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
			await page.goto(`/campaign/${waiting.campaignId}`)
			await page.getByText('A refund of ₹3.00 is being checked').waitFor()
			await page.goto(statementPaths.payments)
			await page.getByText('A refund of ₹3.00 is being checked').waitFor()
			assert.deepEqual(await axeFindings(page, page.url()), [])
		})
		await app.withPage({ as: admin, size }, async ({ page }) => {
			await page.goto('/admin/dashboard')
			await page.getByText('has refunds to check').first().waitFor()
			await page.goto(statementPaths.refunds)
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
