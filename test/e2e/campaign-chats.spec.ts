import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { campaignWhen, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { box, bubble, log, row, TAKEN } from './pages/live-chats.ts'

const app = await launchApp()
const { product } = app
const { control } = product.simulator

suite('the campaign in the conversation', () => {
	for (const size of SIZES)
		test(`at ${size.width} pixels, a report’s row links to its chat, the chat links to the report, and a reply names the campaign`, async () => {
			const sender = await sendingAccount(product, { contacts: 2, balancePaise: 10_000 })
			const { phone_number_id } = sender.credentials
			await control.setStatusPlan({ phone_number_id, readRate: 1 })
			const campaignId = await startCampaign(product, sender, { name: 'Diwali offer' })
			await campaignWhen(product, { ...sender, campaignId }, ({ pending }) => pending === 0)
			const [recipient] = await product.db<{ number: string; wamid: string }[]>`
				select number, wamid from campaign_messages
				where account_id = ${sender.accountId} and campaign_id = ${campaignId} and name = 'Contact 1'
			`
			assert.ok(recipient)
			const user = await app.signedIn(sender.email)

			await app.withPage({ as: user, size }, async ({ page }) => {
				await openScreen(page, `/campaign/${campaignId}`)
				await page.getByRole('link', { name: 'Chat with Contact 1' }).click()
				await page.getByRole('region', { name: 'Chat with Contact 1' }).waitFor()
				assert.equal(new URL(page.url()).searchParams.get('chat'), recipient.number)
				const sent = bubble(page, 'Hello Contact 1, welcome!')
				await sent.getByRole('img', { name: 'Read' }).waitFor()
				assert.deepEqual(await axeFindings(page, 'a campaign in a chat'), [])
				await sent.getByRole('link', { name: 'Campaign: Diwali offer' }).click()
				await page.waitForURL(`/campaign/${campaignId}`)
				await settled(page)
				await page.goBack()
				await sent.waitFor()

				await control.sendInbound({
					phone_number_id,
					from: recipient.number,
					content: { body: 'Two of these, please' },
					context_id: recipient.wamid,
				})
				const reply = bubble(page, 'Two of these, please')
				await reply.getByRole('button', { name: /^Reply to: Diwali offer.*Hello Contact 1/ }).waitFor()
				await box(page).fill('Which size?')
				await box(page).press('Enter')
				await bubble(page, 'Which size?').getByRole('img', TAKEN).waitFor()
				if (size.width < 900) await page.getByRole('button', { name: 'Back to the chats' }).click()
				const last = row(page, 'Contact 1')
				await last.getByText('You: Which size?').waitFor()
				await last.getByRole('img', { name: 'Read' }).waitFor()
				assert.deepEqual(await axeFindings(page, 'the list with a message of one’s own'), [])
				assert.equal(await page.getByRole('navigation', { name: 'Chats' }).getByRole('link').count(), 1)
			})
		})

	test('ticks of a campaign’s message follow its status updates while the chat is open', async () => {
		const sender = await sendingAccount(product, { contacts: 1, balancePaise: 10_000 })
		const { phone_number_id, waba_id } = sender.credentials
		await control.setStatusPlan({ phone_number_id, readRate: 1 })
		await control.holdWebhooks({ waba_id })
		const campaignId = await startCampaign(product, sender, { name: 'Diwali offer' })
		await campaignWhen(product, { ...sender, campaignId }, ({ sent }) => sent === 1)
		const [message] = await product.db<{ number: string }[]>`
			select number from campaign_messages where account_id = ${sender.accountId} and campaign_id = ${campaignId}
		`
		const user = await app.signedIn(sender.email)
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, `/user/live/chats?chat=${message?.number}`)
			await log(page).getByRole('img', { name: 'Sent' }).waitFor()
			await control.releaseWebhooks({ waba_id })
			await log(page).getByRole('img', { name: 'Read' }).waitFor()
		})
	})
})
