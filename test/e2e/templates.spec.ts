import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindingsInSchemes, settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeCount, seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { openStep, send } from './pages/campaign-pages.ts'
import { approveTemplate, holdReviews } from './pages/template-review.ts'

const PICTURE = fileURLToPath(new URL('../../scripts/demo/festive-sale.jpg', import.meta.url))
const videoOf = (name: string) => fileURLToPath(new URL(`../files/videos/${name}`, import.meta.url))

const app = await launchApp({ statuses: { readRate: 1 } })
const user = await app.signedIn(DEMO_USER.email)
await holdReviews(app.product)

suite('a template built with an image header, three variables and two buttons', () => {
	test('a new template is pending in the list, is approved there without a reload, and is sent by a campaign', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/create/template')
			await settled(page)
			const phone = page.getByRole('figure', { name: 'Message preview' })
			await describe(page, phone)
			await writeBody(page, phone)
			await addButtons(page, phone)
			await page.getByRole('button', { name: 'Create Template' }).click()
			await page.waitForURL('/user/template/management')
			const row = page.getByRole('row').filter({ hasText: 'silk_week_offer' })
			await row.getByText('PENDING').waitFor()
			assert.deepEqual(await draftsOf(page), [])
			await approveTemplate(app.product, { accountId: user.accountId, name: 'silk_week_offer' })
			await row.getByText('APPROVED').waitFor()
			await sendCampaign(page)
		}))
})

async function describe(page: Page, phone: Locator) {
	const name = page.getByRole('textbox', { name: 'Template name' })
	await name.pressSequentially('Silk Week-Offer!')
	await seeValue(name, 'silk_week_offer')
	await page.getByText('Template name can only contain lowercase letters, numbers, and underscores').waitFor()
	await page.getByRole('radio', { name: 'Image' }).check()
	await page.locator('input[type=file]').setInputFiles(PICTURE)
	await page.getByText('festive-sale.jpg').waitFor()
	await phone.getByRole('img', { name: 'Header' }).waitFor()
}

/** Inserts three variables at the caret, removes the second and inserts it again. */
async function writeBody(page: Page, phone: Locator) {
	const body = page.getByRole('textbox', { name: 'Body text' })
	const addVariable = page.getByRole('button', { name: 'Add variable' })
	await body.pressSequentially('Hi ')
	await addVariable.click()
	await body.and(page.locator(':focus')).waitFor()
	await page.keyboard.type(', the *silk week* begins on ')
	await addVariable.click()
	await page.keyboard.type(' with ')
	await addVariable.click()
	await page.getByRole('textbox', { name: 'Example for {{3}}' }).fill('40%')
	await page.getByText('The body cannot start or end with a variable').waitFor()
	await body.press('End')
	await page.keyboard.type(' off.')
	await page.keyboard.press('Control+Home')
	for (let steps = 'Hi {{1}}, the *silk week* begins on {{2}}'.length; steps > 0; steps--)
		await page.keyboard.press('ArrowRight')
	await page.keyboard.press('Backspace')
	await seeValue(body, 'Hi {{1}}, the *silk week* begins on  with {{2}} off.')
	await seeValue(page.getByRole('textbox', { name: 'Example for {{2}}' }), '40%')
	await addVariable.click()
	await seeValue(body, 'Hi {{1}}, the *silk week* begins on {{3}} with {{2}} off.')
	await page.getByRole('textbox', { name: 'Example for {{1}}' }).fill('Asha')
	await page.getByRole('textbox', { name: 'Example for {{3}}' }).fill('Monday')
	await phone.getByText('Hi Asha, the silk week begins on Monday with 40% off.').waitFor()
	await phone.locator('strong').getByText('silk week').waitFor()
}

async function addButtons(page: Page, phone: Locator) {
	await addButton(page, 'Call phone number')
	await page.getByRole('textbox', { name: 'Button text' }).fill('Call us')
	await page.getByRole('textbox', { name: 'Phone number' }).fill('98765 43210')
	await page.getByText('+91', { exact: true }).waitFor()
	await addButton(page, 'Visit website')
	await page.getByRole('textbox', { name: 'Button text' }).last().fill('Shop now')
	await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://silk.example/')
	await page.getByRole('button', { name: 'Add variable at the end' }).click()
	await page.getByRole('textbox', { name: 'Example for {{1}} of the URL' }).fill('week')
	await dragUp(page)
	await phone.getByRole('listitem').first().getByText('Shop now').waitFor()
}

/** Drags the second button above the first by its grip. */
async function dragUp(page: Page) {
	const rows = page.getByRole('list', { name: 'Buttons' }).getByRole('listitem')
	const grip = rows.nth(1).locator('span[class*=grip]')
	await grip.hover()
	await page.mouse.down()
	const target = await rows.first().boundingBox()
	assert.ok(target)
	await page.mouse.move(target.x + 20, target.y + 20, { steps: 8 })
	await page.mouse.up()
}

async function addButton(page: Page, type: string) {
	await page.getByRole('button', { name: 'Add button' }).click()
	await page.getByRole('menuitem', { name: type }).click()
}

async function draftsOf(page: Page): Promise<string[]> {
	const keys = await page.evaluate<string[]>('Object.keys(localStorage)')
	return keys.filter((key) => /^draft:\d+:template:/.test(key))
}

async function sendCampaign(page: Page) {
	await page.getByRole('button', { name: 'View Silk week offer' }).click()
	await page.getByRole('dialog').getByRole('link', { name: 'Use in a campaign' }).click()
	await page.getByLabel('Campaign name').fill('Silk week')
	await page.getByRole('textbox', { name: 'Variable 1' }).fill('{{firstName}}')
	await page.getByRole('textbox', { name: 'Variable 2' }).fill('40%')
	await page.getByRole('textbox', { name: 'Variable 3' }).fill('Monday')
	await page.getByRole('textbox', { name: /End of the link/ }).fill('week')
	await openStep(page, 'people')
	await page.getByRole('radio', { name: 'A contact group' }).check()
	await page.getByPlaceholder('Choose a group').click()
	await page.getByRole('option').first().click()
	await send(page)
	await page.getByText('completed', { exact: true }).waitFor()
}

suite('the ready texts', () => {
	for (const size of SIZES)
		test(`a ready text in Hindi fills the form, and its template is created with counted clicks, at ${size.width} pixels`, () =>
			app.withPage({ as: user, size }, async ({ page }) => {
				const name = `diwali_sale_${size.width}`
				await openScreen(page, '/user/create/template?gallery=1')
				const gallery = page.getByRole('dialog', { name: 'Ready texts' })
				await gallery.getByRole('button', { name: 'हिन्दी' }).click()
				await gallery.getByRole('button', { name: 'Festivals' }).click()
				await gallery.getByText('धन्यवाद', { exact: true }).waitFor({ state: 'detached' })
				await settled(page)
				assert.deepEqual(await axeFindingsInSchemes(page, 'the ready texts'), [])
				await gallery.getByRole('button', { name: 'Use this text: दिवाली सेल' }).click()
				await page.getByText('Filled in: दिवाली सेल').waitFor()
				await page.getByRole('textbox', { name: 'Template name' }).fill(name)
				await seeValue(page.getByRole('textbox', { name: 'Example for {{2}}' }), '20%')
				await page.getByRole('button', { name: 'Create Template' }).click()
				await page.getByText('URL is required for URL button').first().waitFor()
				await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://silk.example/diwali')
				await page.getByRole('button', { name: 'Create Template' }).click()
				await page.waitForURL('/user/template/management')
				const [row] = await app.product.db<{ components: string }[]>`
					select components::text as components from templates where account_id = ${user.accountId} and name = ${name}
				`
				assert.match(row?.components ?? '', /"counted_target": ?"https:\/\/silk.example\/diwali"/)
			}))
})

suite('a template that cannot be created', () => {
	test('Create Template names the first problem in the specified order, focuses its field, and passes axe', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/create/template')
			await settled(page)
			const create = page.getByRole('button', { name: 'Create Template' })
			await create.click()
			await page.getByText('Template name and body text are required').first().waitFor()
			assert.equal(await page.getByRole('alert').count(), 0)
			await page.getByRole('textbox', { name: 'Template name' }).and(page.locator(':focus')).waitFor()
			await page.getByRole('textbox', { name: 'Template name' }).fill('offer')
			await page.getByRole('textbox', { name: 'Body text' }).fill('Hi {{1}}, welcome to our shop.')
			await page.getByRole('radio', { name: 'Document' }).check()
			await addButton(page, 'Visit website')
			await create.click()
			await page.getByText('All variables must have example values').first().waitFor()
			await page.getByRole('textbox', { name: 'Example for {{1}}' }).and(page.locator(':focus')).waitFor()
			await page.getByText('Please upload a document for the header').first().waitFor()
			await page.getByText('Button text is required').waitFor()
			assert.deepEqual(await axeFindingsInSchemes(page, 'refused template'), [])
		}))

	test('Create Template removes the error of an example that is filled in, and keeps the error of an empty one', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/create/template')
			await settled(page)
			await page.getByRole('textbox', { name: 'Template name' }).fill('offer')
			await page.getByRole('textbox', { name: 'Body text' }).fill('Hi {{1}}, you save {{2}} today.')
			await page.getByRole('button', { name: 'Create Template' }).click()
			const first = page.getByRole('textbox', { name: 'Example for {{1}}' })
			const second = page.getByRole('textbox', { name: 'Example for {{2}}' })
			const invalid = page.getByRole('textbox', { name: /^Example for/ }).and(page.locator('[aria-invalid=true]'))
			await seeCount(invalid, 2)
			await first.fill('Asha')
			await seeCount(invalid, 1)
			await invalid.and(second).waitFor()
			await second.fill('20%')
			await seeCount(invalid, 0)
		}))

	test('Create Template shows Meta’s refusal in Meta’s words, and keeps the input', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/status of 4\d\d/)
			await openScreen(page, '/user/create/template')
			await settled(page)
			await page.getByRole('textbox', { name: 'Template name' }).fill('order_shipped')
			await page.getByRole('textbox', { name: 'Body text' }).fill('Your order has left our shop.')
			await page.getByRole('button', { name: 'Create Template' }).click()
			const refusal = page.getByText('content for this template. You can create a new template')
			await refusal.waitFor()
			const name = page.getByRole('textbox', { name: 'Template name' })
			await name.and(page.locator(':focus')).waitFor()
			assert.equal(await name.getAttribute('aria-invalid'), 'true')
			await seeValue(page.getByRole('textbox', { name: 'Body text' }), 'Your order has left our shop.')
			// The draft outlives the page.
			await page.reload()
			await page.getByText('Your draft has been restored.').waitFor()
			await page.getByRole('button', { name: 'Start over' }).click()
			await seeValue(page.getByRole('textbox', { name: 'Template name' }), '')
			await page.getByRole('button', { name: 'Undo' }).click()
			await seeValue(page.getByRole('textbox', { name: 'Template name' }), 'order_shipped')
			await page.getByRole('button', { name: 'Start over' }).click()
		}))
})

test('a duplicate has the original’s texts and header file, and leaving the form asks first', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/template/management?search=festive')
		await page.getByRole('link', { name: 'Duplicate Festive saree sale' }).click()
		const name = page.getByRole('textbox', { name: 'Template name' })
		await name.waitFor()
		await seeValue(name, 'festive_saree_sale_copy')
		const phone = page.getByRole('figure', { name: 'Message preview' })
		await phone.getByText('Namaste Asha!').waitFor()
		await phone.getByRole('img', { name: 'Header' }).waitFor()
		await name.fill('festive_two')
		await page.getByRole('link', { name: 'View Template' }).click()
		const question = page.getByRole('dialog', { name: 'Leave this template?' })
		await question.getByRole('button', { name: 'Keep editing' }).click()
		await page.getByRole('button', { name: 'Create Template' }).click()
		await page.waitForURL('/user/template/management')
		await page.getByRole('row').filter({ hasText: 'festive_two' }).getByText('PENDING').waitFor()
	}))

test('deleting a template warns about all languages and removes it from the list', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/template/management?search=loyalty')
		await page.getByRole('button', { name: 'Delete Loyalty points hindi' }).click()
		const dialog = page.getByRole('dialog', { name: 'Delete template?' })
		await dialog.getByText(/cannot be used again for 30 days/).waitFor()
		await dialog.getByRole('button', { name: 'Delete' }).click()
		await page.getByText('Template deleted successfully').waitFor()
		await page.getByText('No templates match').waitFor()
	}))

/** Beginning of the name of the chunk that holds mediabunny; Vite names it after the library's folder `src`. */
const CONVERTER = '/assets/src-'

for (const size of SIZES)
	test(`a 3GP video with H.264 and AAC becomes an MP4 header that Meta accepts, and another video is refused with a message, at ${size.width} pixels`, () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			const name = `video_${size.width}`
			await page.goto('/user/create/template')
			await page.getByRole('textbox', { name: 'Template name' }).fill(name)
			await page.getByRole('textbox', { name: 'Body text' }).fill('See our new collection.')
			await page.getByRole('radio', { name: 'Video' }).check()
			const input = page.locator('input[type=file]')
			let isConverterLoaded = false
			page.on('request', (request) => (isConverterLoaded ||= request.url().includes(CONVERTER)))
			await input.setInputFiles({ name: 'a.mp4', mimeType: 'video/mp4', buffer: Buffer.from('a') })
			await page.getByRole('button', { name: 'Remove a.mp4' }).click()
			assert.ok(!isConverterLoaded, 'loaded without need')
			await input.setInputFiles(videoOf('h263.3gp'))
			await page
				.getByText(/MP4 with H\.264 and AAC only\. Please convert this 3GP video/)
				.first()
				.waitFor()
			assert.ok(isConverterLoaded)
			await input.setInputFiles(videoOf('h264-aac.3gp'))
			await page.getByText('h264-aac.mp4').waitFor()
			await page.getByRole('button', { name: 'Create Template' }).click()
			await page.waitForURL('/user/template/management')
			const [row] = await app.product.db<{ file: string }[]>`
				select header_file as file from templates where account_id = ${user.accountId} and name = ${name}
			`
			assert.match(row?.file ?? '', /\/h264-aac\.mp4$/)
		}))
