import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { paymentPath } from '#features/payments/paths.ts'
import { beginPayment } from '#features/payments/server/service.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { formatRupees } from '#lib/money.ts'
import { newRequestId } from '#lib/request-id.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { axeFindings, axeFindingsInSchemes } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button, seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { openStep, send, startForm } from './pages/campaign-pages.ts'
import { fillSignIn } from './people.ts'
import { LEAST_PX, smallTargets, TOUCH_PX } from './targets.ts'
import { layoutFindings } from './walk/layout.ts'

const PRICE_PAISE = 10_000
const CONTACTS = 5
const BALANCE_PAISE = 5000

const app = await launchApp({
	payments: true,
	env: { GST_PERCENT: '18', ISSUER_GSTIN: '27AAPFU0939F1ZV' },
	fill: async () => {},
})
const { context } = app.product.process

/** Creates a user whose campaign to all contacts costs ₹500.00, with this much in the wallet. */
async function shop(balancePaise = BALANCE_PAISE) {
	const { email, password, accountId } = await sendingAccount(app.product, {
		contacts: CONTACTS,
		balancePaise,
	})
	await context.db`update prices set marketing_paise = ${PRICE_PAISE} where account_id = ${accountId}`
	return { ...(await app.signedIn(email)), password }
}

suite('adding money', () => {
	for (const size of SIZES)
		test(`at ${size.width} pixels a refused campaign leads to a payment by UPI and back to its draft, which is then sent`, async () => {
			const person = await shop()
			await app.withPage({ as: person, size, touch: size.width < 1440, leaves: true }, async ({ page }) => {
				await startForm(page, { name: 'Diwali offer', template: 'hello' })
				await page.getByRole('textbox', { name: 'Description' }).fill('For all customers')
				await button(page, 'Send Campaign').click()
				await button(page, 'Add ₹450.00').click()
				const dialog = page.getByRole('dialog', { name: 'Add money' })
				const amount = dialog.getByRole('textbox', { name: 'Amount' })
				await amount.and(page.locator(':focus')).waitFor()
				await seeValue(amount, '450')
				await dialog.getByText('Add ₹450.00 + ₹81.00 GST = ₹531.00').waitFor()
				assert.deepEqual(await axeFindingsInSchemes(page, 'the dialog'), [])
				const leastPx = size.width < 1440 ? TOUCH_PX : LEAST_PX
				assert.deepEqual(await smallTargets(page, leastPx, 'the dialog', '[role=dialog]'), [])
				await page.keyboard.press('Enter')

				await button(page, 'Pay by UPI').click()
				await page.getByRole('heading', { name: 'Payment', exact: true }).waitFor()
				await page.getByText('₹450.00 added').waitFor()
				await page.getByText('New balance ₹500.00').waitFor()
				await page.waitForURL(/\/user\/payment\/\d+$/)
				assert.deepEqual(await axeFindingsInSchemes(page, 'the payment'), [])
				assert.deepEqual(await layoutFindings(page), [])
				await page.getByRole('link', { name: 'Back to the campaign' }).click()

				await page.waitForURL(campaignPaths.create)
				await page.getByText('Your draft has been restored.').waitFor()
				await openStep(page, 'message')
				await seeValue(page.getByLabel('Campaign name'), 'Diwali offer')
				await seeValue(page.getByRole('textbox', { name: 'Description' }), 'For all customers')
				await openStep(page, 'check')
				await page.getByRole('region', { name: 'Check' }).getByText('Hello', { exact: true }).waitFor()
				await send(page)
				await page.getByRole('link', { name: `Wallet balance: ${formatRupees(0)}` }).waitFor()
			})
		})

	test('a cancelled payment adds nothing, and can be tried again; a wrongly signed return is refused', async () => {
		const person = await shop()
		await app.withPage({ as: person, leaves: true }, async ({ page, allow }) => {
			await page.goto('/user/dashboard')
			await button(page, 'Add money').click()
			const dialog = page.getByRole('dialog', { name: 'Add money' })
			const amount = dialog.getByRole('textbox', { name: 'Amount' })
			await amount.fill('50')
			await page.keyboard.press('Enter')
			await dialog.getByText('Enter an amount from ₹100.00 to ₹1,00,000.00').waitFor()
			await dialog.getByRole('button', { name: '₹500' }).click()
			await button(page, 'Pay ₹590.00').click()

			await button(page, 'Cancel').click()
			await page.getByText('The payment was cancelled').waitFor()
			await page.getByRole('link', { name: `Wallet balance: ${formatRupees(50)}` }).waitFor()
			await button(page, 'Try again').click()
			await seeValue(amount, '500')
			await page.keyboard.press('Escape')
			await dialog.waitFor({ state: 'detached' })

			const payment = new URL(page.url()).pathname
			allow(/status of 400/)
			await page.goto(`${payment}?razorpay_payment_link_status=paid&razorpay_signature=${'0'.repeat(64)}`)
			await page.getByRole('alert').getByText('This confirmation is not valid.').waitFor()
			await page.waitForURL(payment)

			await openScreen(page, statementPaths.payments)
			const row = page.getByRole('table', { name: 'Online payments' }).locator('[data-row]')
			await row.getByText('Cancelled').waitFor()
			assert.deepEqual(await axeFindingsInSchemes(page, 'the list'), [])
		})
	})

	test('a payer who was signed out meanwhile signs in and sees the payment, and its credit note after a refund', async () => {
		const person = await shop()
		const wanted = { creditPaise: 50_000, requestId: newRequestId(), back: campaignPaths.create }
		const payment = await beginPayment(context, person.accountId, { ...wanted, userId: person.userId })
		const paid = await app.product.simulator.control.payLink({ reference_id: payment.reference })
		const returned = new URL(paid.return_url ?? '')
		await app.withPage({}, async ({ page }) => {
			await page.goto(returned.pathname + returned.search)
			await page.waitForURL(/\/login\?next=/)
			await fillSignIn(page, person)
			await page.getByText('₹500.00 added').waitFor()
			await page.waitForURL(paymentPath(payment.id))
			await page.reload()
			await page.getByText('New balance ₹550.00').waitFor()
			await app.product.simulator.control.refundPayment({ payment_id: paid.payment_id })
			await page.getByText('₹590.00 refunded').waitFor()
			await button(page, 'Documents').click()
			const note = page.getByRole('menuitem', { name: /^Credit note CN\/\d\d-\d\d\/000001, ₹590\.00$/ })
			await note.waitFor()
			assert.deepEqual(await axeFindingsInSchemes(page, 'the documents'), [])
			const [download] = await Promise.all([page.waitForEvent('download'), note.click()])
			assert.match(download.suggestedFilename(), /^credit_note_\d\d-\d\d_000001\.pdf$/)
		})
	})

	test('owed money shows in the notices, and its button opens the dialog with the amount that settles it', async () => {
		// The worker settles what is owed from each balance.
		const person = await shop(0)
		await context.db`update wallets set owed_paise = 70000 where account_id = ${person.accountId}`
		await app.withPage({ as: person }, async ({ page }) => {
			await page.goto('/user/dashboard')
			await page.getByRole('status').getByRole('button', { name: 'Money is owed' }).click()
			const notices = page.getByRole('dialog', { name: 'Notices' })
			await notices.getByText('₹700.00 is owed, because a payment went back').waitFor()
			await button(page, 'Add money').last().click()
			const dialog = page.getByRole('dialog', { name: 'Add money' })
			await seeValue(dialog.getByRole('textbox', { name: 'Amount' }), '700')
			await dialog.getByText('₹700.00 of it settles what is owed.').waitFor()
			await notices.waitFor({ state: 'detached' })
			await dialog.getByRole('textbox', { name: 'Amount' }).and(page.locator(':focus')).waitFor()
			assert.deepEqual(await axeFindings(page, 'the dialog'), [])
		})
	})
})
