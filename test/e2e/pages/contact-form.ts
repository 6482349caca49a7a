import type { Locator, Page } from 'playwright-core'

interface TypedContact {
	first: string
	last?: string
	number?: string
}

/** Opens the form for a new contact on Manage Contacts and fills it in. Returns the dialog, which is not saved yet. */
export async function fillNewContact(page: Page, { first, last = '', number = '' }: TypedContact): Promise<Locator> {
	await page.getByRole('button', { name: 'Add New Contact' }).first().click()
	const dialog = page.getByRole('dialog', { name: 'Add New Contact' })
	await dialog.getByRole('textbox', { name: 'First name' }).fill(first)
	await dialog.getByRole('textbox', { name: 'Last name' }).fill(last)
	await dialog.getByRole('textbox', { name: 'Number' }).fill(number)
	return dialog
}

/** Chooses an option in a select. */
export async function pick(page: Page, label: string, option: string) {
	await page
		.getByRole('combobox', { name: label })
		.or(page.getByRole('textbox', { name: label }))
		.first()
		.click()
	await page.getByRole('option', { name: option, exact: true }).click()
}

/** Chooses an action of a contact from the menu of its row in a wide window. */
export async function chooseRare(page: Page, name: string | RegExp, word: string): Promise<void> {
	const menu = page.getByRole('button', { name: typeof name === 'string' ? `More actions for ${name}` : name })
	await menu.first().click()
	await page.getByRole('menuitem', { name: word }).click()
}
