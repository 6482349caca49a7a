import type { Locator, Page } from 'playwright-core'
import type { Control } from '#simulator/control.ts'
import type { InboundMessage } from '#simulator/network/inbound/inbound.ts'
import { openScreen } from '../open-screen.ts'

/** Ids of the demo account in the simulated network. */
const WABA_ID = '104500000000001'
export const PHONE_NUMBER_ID = '104500000000002'

export interface Customer {
	digits: string
	name: string
	says(body: string): Promise<{ id: string }>
	/** Stores messages in the minutes before now, a second apart. */
	saidBefore(bodies: readonly string[]): Promise<void>
	sends(given: Pick<InboundMessage, 'type' | 'content' | 'context_id'>): Promise<{ id: string }>
}

/** Returns a function that creates a customer of the demo account unknown to all other tests. */
export function customersOf(control: Control): (given?: { name?: string }) => Customer {
	let people = 0
	return (given = {}) => {
		const digits = `9198${String(30_000_000 + ++people * 17)}`
		const name = given.name ?? `Customer ${people}`
		const send = (message: Pick<InboundMessage, 'type' | 'content' | 'context_id'>) =>
			control.sendInbound({ phone_number_id: PHONE_NUMBER_ID, from: digits, name, ...message })
		return {
			digits,
			name,
			says: (body) => send({ content: { body } }),
			sends: send,
			async saidBefore(bodies) {
				const begun = Math.floor(Date.now() / 1000) - bodies.length - 60
				const messages = bodies.map((body, index) => ({
					from: digits,
					id: `wamid.before.${digits}.${index}`,
					timestamp: String(begun + index),
					type: 'text',
					text: { body },
				}))
				const metadata = { display_phone_number: '915550100100', phone_number_id: PHONE_NUMBER_ID }
				const contacts = [{ profile: { name }, wa_id: digits }]
				const value = { messaging_product: 'whatsapp', metadata, contacts, messages }
				await control.sendWebhook({ waba_id: WABA_ID, field: 'messages', value })
				await control.waitIdle()
			},
		}
	}
}

/** Sends a webhook with a field that the product does not know. */
export async function sendUnknownWebhook(control: Control, field: string): Promise<void> {
	await control.sendWebhook({ waba_id: WABA_ID, field, value: { note: 'from the future' } })
	await control.waitIdle()
}

export const chatList = (page: Page): Locator => page.getByRole('navigation', { name: 'Chats' })
export const row = (page: Page, name: string): Locator => chatList(page).getByRole('link', { name })
export const log = (page: Page): Locator => page.getByRole('log')
export const bubble = (page: Page, text: string): Locator => log(page).getByRole('article').filter({ hasText: text })
export const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })
export const toast = (page: Page, text: string): Locator => page.getByText(text, { exact: true }).first()

/** Labels of the ticks of a message that WhatsApp has accepted. */
export const TAKEN = { name: /Sent|Delivered|Read/ }

export async function openChat(page: Page, number: string): Promise<void> {
	await openScreen(page, `/user/live/chats?chat=${number}`)
	await page.getByRole('region', { name: /^Chat with/ }).waitFor()
}
