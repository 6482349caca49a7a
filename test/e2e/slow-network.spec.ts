import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { wallet } from '#features/wallet/contract.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { LIVE_PATH } from '#lib/live.ts'
import { transaction } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchApp } from './fixtures.ts'

const app = await launchApp()
const { context } = app.product.process

const seeBalance = (page: Page, text: string) =>
	page.getByRole('link', { name: `Wallet balance: ${text}`, exact: true }).waitFor()

async function recharge({ accountId }: TestAccount, reference: string): Promise<void> {
	await transaction(context.db, async (sql) => {
		await postRecharge(sql, accountId, { reference, amountPaise: 5000 })
		announceLive(sql, accountId, { kind: 'wallet' })
	})
}

suite('live updates on a slow network', () => {
	test('changes during the six seconds of a slow request for the stream are shown', async () => {
		const person = await account(context)
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
			const arrival = Promise.withResolvers<void>()
			await page.route(`**${LIVE_PATH}?*`, (route) => arrival.promise.then(() => route.continue()))
			await page.goto('/user/dashboard')
			await seeBalance(page, '₹0.00')
			await recharge(person, 'slow:stream')
			await sleep(6000)
			arrival.resolve()
			await seeBalance(page, '₹50.00')
		})
	})

	test('answers that take longer than the pause between two refreshes are shown while events continue to arrive', async (t) => {
		const person = await account(context)
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
			await page.route(`**${wallet.balance.path}`, (route) => sleep(1500).then(() => route.continue()))
			await page.goto('/user/dashboard')
			await seeBalance(page, '₹0.00')
			const timer = setInterval(() => announceLive(context.db, person.accountId, { kind: 'wallet' }), 200)
			t.after(() => clearInterval(timer))
			await recharge(person, 'slow:answers')
			await seeBalance(page, '₹50.00')
			clearInterval(timer)
		})
	})
})
