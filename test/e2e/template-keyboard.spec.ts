import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { choose, tabTo } from './keyboard-steps.ts'
import { approveTemplate, holdReviews } from './template-review.ts'

const PHONE = { width: 390, height: 844 }

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
await holdReviews(app.product)

suite('the form of a template at 390 pixels', () => {
	test('creates a template by keyboard alone', () =>
		app.withPage({ as: user, size: PHONE }, async ({ page }) => {
			await page.goto('/user/create/template')
			await settled(page)
			await tabTo(page, page.getByRole('textbox', { name: 'Template name' }))
			await page.keyboard.type('table ready')
			await choose(page, 'Category', 'Utility')
			await choose(page, 'Header type', 'Text')
			await tabTo(page, page.getByRole('textbox', { name: 'Header text' }))
			await page.keyboard.type('Your table')
			await tabTo(page, page.getByRole('textbox', { name: 'Body text' }))
			await page.keyboard.type('Hello ')
			await tabTo(page, page.getByRole('button', { name: 'Add variable' }).last())
			await page.keyboard.press('Enter')
			await page.keyboard.type(', your table for four is ready. Please come in.')
			await tabTo(page, page.getByRole('textbox', { name: 'Example for {{1}}' }))
			await page.keyboard.type('Kabir')
			for (const [type, text] of [
				['Quick reply', 'Thanks'],
				['Quick reply', 'On my way'],
			] as const) {
				await tabTo(page, page.getByRole('button', { name: 'Add button' }))
				await page.keyboard.press('Enter')
				await page.getByRole('menuitem', { name: type }).and(page.locator(':focus')).waitFor()
				await page.keyboard.press('Enter')
				await page.getByRole('textbox', { name: 'Button text' }).last().and(page.locator(':focus')).waitFor()
				await page.keyboard.type(text)
			}
			await tabTo(page, page.getByRole('button', { name: 'Move button 2 up' }), 'Shift+Tab')
			await page.keyboard.press('Enter')
			await page.getByText('Button moved to place 1 of 2').waitFor({ state: 'attached' })
			// The focus goes with the button that is moved.
			await tabTo(page, page.getByRole('button', { name: 'Move button 1 down' }))
			await page.keyboard.press('Enter')
			const movedDown = page.getByRole('button', { name: 'Move button 2 down' })
			await movedDown.and(page.locator(':focus')).waitFor()
			await tabTo(page, page.getByRole('button', { name: 'Move button 2 up' }), 'Shift+Tab')
			await page.keyboard.press('Enter')
			await tabTo(page, page.getByRole('button', { name: 'Preview' }))
			await page.keyboard.press('Enter')
			const phone = page.getByRole('dialog', { name: 'Preview' })
			await phone.getByText('Hello Kabir, your table for four is ready.').waitFor()
			assert.deepEqual(await phone.getByRole('listitem').allTextContents(), ['On my way', 'Thanks'])
			await page.keyboard.press('Escape')
			await phone.waitFor({ state: 'detached' })
			await tabTo(page, page.getByRole('button', { name: 'Create Template' }), 'Shift+Tab')
			await page.keyboard.press('Enter')
			await page.waitForURL('/user/template/management')
			await page.getByText('table_ready').waitFor()
			await approveTemplate(app.product, { ownerId: user.ownerId, name: 'table_ready' })
			await page.getByRole('listitem').filter({ hasText: 'table_ready' }).getByText('APPROVED').waitFor()
		}))
})
