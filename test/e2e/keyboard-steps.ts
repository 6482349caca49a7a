import type { Locator, Page } from 'playwright-core'

const MAX_TABS = 80

/** Presses Tab until the target has the focus. Throws after MAX_TABS presses. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
	for (let presses = 0; presses < MAX_TABS; presses++) {
		if (await hasFocus(page, target)) return
		await page.keyboard.press(key)
	}
	throw new Error(`${String(target)} cannot be reached with ${key}`)
}

async function hasFocus(page: Page, target: Locator): Promise<boolean> {
	return (await focused(page, target).count()) > 0
}

function focused(page: Page, target: Locator): Locator {
	return target.and(page.locator(':focus'))
}

/** Waits until the target has the focus, without pressing a key. */
export function seeFocus(page: Page, target: Locator): Promise<void> {
	return focused(page, target).waitFor()
}

/** Moves the focus to the button or link and presses Enter. */
export async function press(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
	await tabTo(page, target, key)
	await page.keyboard.press('Enter')
}

/** Moves the focus to the field and types. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
	await tabTo(page, target)
	await page.keyboard.type(text)
}

/**
 * Types into a combobox, whose list opens with the focus and narrows, and moves down to the option. Enter takes it when it is
 * marked.
 */
export async function search(page: Page, label: string, option: string): Promise<void> {
	await type(page, page.getByRole('combobox', { name: label }), option)
	await page.getByRole('option', { name: option }).waitFor()
	await goDownTo(page, option)
}

/** Opens the list of a select and moves down to the option. */
export async function choose(page: Page, select: Locator, option: string): Promise<void> {
	await tabTo(page, select)
	await page.keyboard.press('ArrowDown')
	await goDownTo(page, option)
}

/**
 * Waits until an opened list has marked its chosen option, which happens in a timer without delay. On a busy machine a key may
 * come earlier than a person's would, and Enter would then take another option.
 */
export async function listIsReady(page: Page): Promise<void> {
	await page.getByRole('option').first().waitFor()
	await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}

async function goDownTo(page: Page, option: string) {
	await listIsReady(page)
	const marked = page.locator('[role=option][data-combobox-selected]')
	const count = await page.getByRole('option').count()
	for (let presses = 0; presses <= count; presses++) {
		await page.keyboard.press('ArrowDown')
		if ((await marked.textContent())?.startsWith(option)) break
	}
	await marked.filter({ hasText: option }).waitFor()
	await page.keyboard.press('Enter')
	await page.getByRole('option', { name: option }).waitFor({ state: 'hidden' })
}

/** Moves the focus to a group of radio buttons, and with the arrow keys to one of them. */
export async function pick(page: Page, option: string): Promise<void> {
	const wanted = page.getByRole('radio', { name: option })
	const group = page.getByRole('radiogroup').filter({ has: wanted })
	await tabTo(page, group.getByRole('radio', { checked: true }))
	const count = await group.getByRole('radio').count()
	for (let presses = 0; presses < count; presses++) {
		if (await wanted.isChecked()) return
		await page.keyboard.press('ArrowDown')
	}
	throw new Error(`${option} cannot be chosen with the arrow keys`)
}
