import type { Locator, Page } from 'playwright-core'
import { choose, press, type } from './keyboard-steps.ts'

/** Ways to operate a page: mouse, keyboard or touch. */
export interface Hands {
	/** Activates a button, a link or the item of a menu. */
	press(target: Locator): Promise<void>
	fill(target: Locator, text: string): Promise<void>
	/** Chooses an option in a select. */
	choose(target: Locator, option: string): Promise<void>
	/** Chooses a file by the button that opens the file dialog. */
	chooseFile(target: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
}

export function pointer(page: Page): Hands {
	return {
		press: (target) => target.click(),
		fill: (target, text) => target.fill(text),
		async choose(target, option) {
			await target.click()
			await page.getByRole('option', { name: option, exact: true }).click()
		},
		async chooseFile(target, file) {
			const [chooser] = await Promise.all([page.waitForEvent('filechooser'), target.click()])
			await chooser.setFiles(file)
		},
	}
}

export function keyboard(page: Page): Hands {
	return {
		press: (target) => press(page, target),
		fill: (target, text) => type(page, target, text),
		choose: (target, option) => choose(page, target, option),
		async chooseFile(target, file) {
			const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, target)])
			await chooser.setFiles(file)
		},
	}
}
