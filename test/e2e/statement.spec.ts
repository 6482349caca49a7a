import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { statementPaths } from '#features/statements/paths.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { account, campaignRow } from '#test/factories.ts'
import { settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeCount, seeTexts } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { layoutFindings } from './walk/layout.ts'

const app = await launchApp()
const { context } = app.product.process

/** Creates an account with ₹100 paid in: ₹45 of it charged for one campaign, and ₹20 on hold for another. */
async function spender() {
	const person = await account(context, { balancePaise: 10_000 })
	const [sent, waiting] = [
		await campaignRow(context.db, person.accountId, { name: 'Diwali' }),
		await campaignRow(context.db, person.accountId, { name: 'Holi' }),
	]
	const steps = [
		{ kind: 'hold', campaignId: sent, messageCount: 60 },
		{ kind: 'capture', campaignId: sent, messageCount: 50 },
		{ kind: 'hold', campaignId: waiting, messageCount: 20 },
		{ kind: 'release', campaignId: sent, messageCount: 10 },
		{ kind: 'refund', campaignId: sent, messageCount: 5 },
	] as const
	for (const step of steps) {
		const posting = { ...step, paise: step.messageCount * 100, reference: `${step.kind}:${step.campaignId}` }
		await post(context.db, person.accountId, posting)
	}
	return app.signedIn(person.email)
}

test('a product without online payments shows no way to add money, and makes no call of payments', async () => {
	await app.withPage({ as: await spender() }, async ({ page }) => {
		const calls: string[] = []
		page.on('request', (request) => void calls.push(new URL(request.url()).pathname))
		await page.goto(statementPaths.payments)
		await page.getByRole('table', { name: 'Payments' }).locator('[data-row]').waitFor()
		await page
			.getByRole('status')
			.getByRole('button', { name: /notice/ })
			.click()
		await page.getByRole('dialog', { name: 'Notices' }).getByRole('listitem').first().waitFor()
		await settled(page)
		await seeCount(page.getByText('Add money'), 0)
		await seeCount(page.getByLabel('Add money'), 0)
		await seeCount(page.getByText('Online payments'), 0)
		assert.deepEqual(
			calls.filter((path) => path.startsWith('/api/payments')),
			[],
		)
	})
})

suite('the statement', () => {
	for (const size of SIZES)
		test(`each campaign’s line shows its amount with a sign and expands into its entries, at ${size.width} pixels`, async () => {
			const person = await spender()
			await app.withPage({ as: person, size }, async ({ page }) => {
				await openScreen(page, statementPaths.own)
				const lines = page.getByRole('table', { name: 'Statement', exact: true }).locator('[data-row]')
				await lines.nth(2).waitFor()
				const amounts = page.getByRole('table', { name: 'Statement' }).locator('[data-label=Amount]')
				await seeTexts(amounts, ['₹20.00 on hold', '−₹45.00', '+₹100.00'])
				const sent = lines.filter({ hasText: 'Diwali' })
				await sent.getByText('45 messages').waitFor()
				await sent.getByRole('button', { name: 'Details of Diwali' }).click()
				const entries = page.getByRole('region', { name: 'Details of Diwali' }).locator('[data-row]')
				await entries.nth(3).waitFor()
				assert.deepEqual(
					(await entries.locator('[data-label=Kind]').allInnerTexts()).map((kind) => kind.trim()),
					['Refund', 'Returned', 'Spent', 'On hold'],
				)
				assert.deepEqual(await entries.locator('[data-label=Amount]').allInnerTexts(), [
					'+₹5.00',
					'₹10.00',
					'−₹50.00',
					'₹60.00',
				])
				assert.deepEqual(await layoutFindings(page), [])
				await page.getByRole('button', { name: 'Refund', exact: true }).click()
				await amounts.filter({ hasText: '₹100.00' }).waitFor({ state: 'detached' })
				await seeTexts(amounts, ['+₹5.00'])
			})
		})
})
