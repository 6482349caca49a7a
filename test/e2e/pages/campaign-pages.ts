import type { Page } from 'playwright-core'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { formatStamp, indianDay } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { openScreen } from '../open-screen.ts'

/** Opens an empty form and fills in the fields that every campaign needs. */
export async function startForm(page: Page, { name, template }: { name: string; template: string }): Promise<void> {
	await openScreen(page, campaignPaths.create)
	await page.getByLabel('Campaign name').fill(name)
	await page.getByPlaceholder('Choose a template').click()
	await page.getByRole('option', { name: new RegExp(`^${templateTitle(template)} `) }).click()
}

export async function chooseFile(page: Page, path: string): Promise<void> {
	await openStep(page, 'people')
	await page.getByRole('radio', { name: 'An uploaded file' }).check()
	await page.locator('input[type=file]').setInputFiles(path)
}

/** Waits until the form shows this count of rows of the chosen file under a name, such as 3 "Left out". */
export async function seeTally(
	page: Page,
	name: 'Get the message' | 'Looks wrong' | 'Left out',
	count: number,
): Promise<void> {
	await openStep(page, 'people')
	const rows = page.getByRole('group', { name: 'Rows of the file' })
	await rows
		.getByText(new RegExp(`^${name}$`))
		.locator(`xpath=../*[2][normalize-space(.)="${formatCount(count)}"]`)
		.waitFor()
}

/** Inserts a name or column into a variable by its chip. */
export async function insertTag(page: Page, variable: number, name: string): Promise<void> {
	await openStep(page, 'message')
	await page
		.getByRole('group', { name: `Insert name or column into Variable ${variable}` })
		.getByRole('button', { name: new RegExp(`^${name}`) })
		.click()
}

/** Returns the input of a variable. */
export const variable = (page: Page, number: number) =>
	page.getByRole('textbox', { name: `Variable ${number}`, exact: true })

/** Sees the message to one person, on a phone in the drawer of the preview; `next` is the person behind the arrow. */
export async function seePreview(page: Page, { size, next }: { size: { width: number }; next?: string }, text: string) {
	const isPhone = size.width < 1200
	if (isPhone) await page.getByRole('button', { name: 'Preview' }).click()
	if (next) {
		await page.getByRole('button', { name: 'Next person' }).click()
		await page.getByText(`Preview for ${next}`).waitFor()
	}
	await page.getByRole('figure', { name: 'Message preview' }).getByText(text).waitFor()
	if (isPhone) await page.keyboard.press('Escape')
}

/** Returns the dialog that asks before a paid campaign is sent. */
export const sendQuestion = (page: Page) => page.getByRole('dialog', { name: /^Send [\d,]+ messages? / })

export async function confirmSending(page: Page): Promise<void> {
	await sendQuestion(page).getByRole('button', { name: 'Send Campaign' }).click()
}

/** Presses the button, and confirms when there are more than 20 recipients. Ends on the page of the new campaign. */
export async function send(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Send Campaign' }).click()
	const question = sendQuestion(page)
	const created = page.getByText('Campaign created successfully!')
	await question.or(created).first().waitFor({ timeout: 60_000 })
	if (await question.isVisible()) await confirmSending(page)
	await seeCreated(page)
}

/** Waits until a campaign was created and its report has opened. */
export async function seeCreated(page: Page): Promise<void> {
	await page.getByText('Campaign created successfully!').waitFor({ timeout: 60_000 })
	await page.waitForURL(/\/campaign\/\d+$/)
}

/** Opens a step of the form, unless it is open. */
export async function openStep(page: Page, step: 'message' | 'people' | 'when' | 'check'): Promise<void> {
	await page.getByRole('heading', { name: new RegExp(`^${step}$`, 'i') }).waitFor()
	const open = page.getByRole('button', { name: new RegExp(`^(Open|Change) ${step}$`) })
	if (await open.isVisible()) await open.click()
}

/** Closes a step of the form by its Continue. */
export async function goOnFrom(page: Page, step: 'message' | 'people' | 'when'): Promise<void> {
	await page.getByRole('button', { name: `Continue from ${step}` }).click()
}

/** Waits until a campaign's page shows this number of messages with a status. */
export function seeStatus(page: Page, word: string, count: number, timeout = 20_000): Promise<void> {
	return page
		.getByRole('list', { name: 'Messages by latest status' })
		.getByRole('listitem')
		.filter({ hasText: new RegExp(`^${word}\\s*${formatCount(count)}$`) })
		.waitFor({ timeout })
}

export function seeBadge(page: Page, word: string, timeout = 20_000): Promise<void> {
	return page.getByText(word, { exact: true }).first().waitFor({ timeout })
}

/** Fills in the time of a scheduled campaign. */
export async function chooseTime(page: Page, at: number) {
	const time = formatStamp(new Date(at).toISOString()).split(' ')[1]?.slice(0, 5) ?? ''
	await page.getByRole('textbox', { name: 'Date' }).fill(indianDay(at))
	await page.getByRole('textbox', { name: 'Time' }).fill(time)
}
