import type { Page } from 'playwright-core'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const field = (page: Page, name: string) => page.getByRole('textbox', { name })
export const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
export const text = (page: Page, words: string) => page.getByText(words, { exact: true })
export const gone = (page: Page, words: string) => text(page, words).waitFor({ state: 'detached' })
