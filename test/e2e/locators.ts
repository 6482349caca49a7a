import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { PATIENCE_MS, until } from '#test/until.ts'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const field = (page: Page, name: string) => page.getByRole('textbox', { name })
export const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
export const text = (page: Page, words: string) => page.getByText(words, { exact: true })
export const gone = (page: Page, words: string) => text(page, words).waitFor({ state: 'detached' })

/** Milliseconds between two polls of a page. */
const LOOK_MS = 20

/** Waits until the input has this value; throws with the value that it has instead. */
export function seeValue(input: Locator, value: string): Promise<void> {
	return seeEqual(() => input.inputValue(), value)
}

/** Waits until the elements have these texts, in their order; throws with the texts that they have instead. */
export function seeTexts(elements: Locator, texts: readonly string[]): Promise<void> {
	return seeEqual(async () => (await elements.allInnerTexts()).map((words) => words.trim()), texts)
}

/** Waits until there are this many elements; throws with the number that there is instead. */
export function seeCount(elements: Locator, count: number): Promise<void> {
	return seeEqual(() => elements.count(), count)
}

async function seeEqual<Value>(look: () => Promise<Value>, expected: Value): Promise<void> {
	const isSo = async () => isDeepStrictEqual(await look(), expected)
	await until(isSo, PATIENCE_MS, LOOK_MS).catch(async () => assert.deepEqual(await look(), expected))
}
