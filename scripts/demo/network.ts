import type { NewAccount, SeedTemplate } from '#simulator/control.ts'
import type { Credentials, Simulator } from '#simulator/simulator.ts'
import { BUSINESSES } from './businesses.ts'

/**
 * The demo's businesses at the simulated network: credentials of the demo user's account and, by e-mail address, of the other
 * accounts.
 */
export interface DemoNetwork {
	main: Credentials
	others: ReadonlyMap<string, Credentials>
	/** Adds a template to the demo user's account. */
	addTemplate(template: Omit<SeedTemplate, 'waba_id'>): Promise<unknown>
	/** Sends a customer's message to the demo user's account. */
	write(message: { from: string; name: string; text: string }): Promise<unknown>
}

/** Creates the demo's businesses in the simulated network. Called at every start; existing businesses are unchanged. */
export async function createDemoNetwork({ control }: Simulator): Promise<DemoNetwork> {
	const main = await control.createAccount(accountOf('Meera Textiles', 0))
	for (const template of TEMPLATES) await control.addTemplate({ ...template, waba_id: main.waba_id })
	const others = new Map<string, Credentials>()
	for (const [index, { brand, email, isNew }] of BUSINESSES.entries()) {
		if (isNew) continue
		const credentials = await control.createAccount(accountOf(brand, index + 1))
		for (const template of COMMON_TEMPLATES) await control.addTemplate({ ...template, waba_id: credentials.waba_id })
		others.set(email, credentials)
	}
	const { phone_number_id, waba_id } = main
	return {
		main,
		others,
		addTemplate: (template) => control.addTemplate({ ...template, waba_id }),
		write: ({ text, ...customer }) => control.sendInbound({ phone_number_id, ...customer, content: { body: text } }),
	}
}

/**
 * Returns the ids of an account, which differ in their last digits. The user guide names the token and the secret of the first
 * account.
 */
function accountOf(name: string, index: number): NewAccount {
	const suffix = index === 0 ? '' : `-${index}`
	const id = (last: number) => String(104_500_000_000_000 + index * 10 + last)
	return {
		name,
		phone: String(915_550_100_100 + index),
		wabaId: id(1),
		phoneNumberId: id(2),
		appId: id(3),
		appSecret: `demo-app-secret${suffix}`,
		token: `demo-access-token${suffix}`,
	}
}

/** Templates of the other businesses. */
const COMMON_TEMPLATES = [
	{
		name: 'seasonal_offer',
		language: 'en',
		category: 'MARKETING' as const,
		quality: 'GREEN' as const,
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, this week you get {{2}} off. Show this message when you visit us.',
				example: { body_text: [['Asha', '20%']] },
			},
			{ type: 'FOOTER', text: 'Reply STOP to receive no more offers' },
		],
	},
	{
		name: 'appointment_reminder',
		language: 'en',
		category: 'UTILITY' as const,
		quality: 'GREEN' as const,
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, this is a reminder of your appointment on {{2}}. Call us if you need another time.',
				example: { body_text: [['Asha', 'Monday, 10 am']] },
			},
		],
	},
]

const TEMPLATES = [
	{
		name: 'festive_saree_sale',
		language: 'en',
		category: 'MARKETING' as const,
		quality: 'GREEN' as const,
		components: [
			{ type: 'HEADER', format: 'IMAGE' },
			{
				type: 'BODY',
				text: 'Namaste {{1}}! Our *festive saree sale* is on: up to {{2}} off silk and cotton, in store and online till 30 November.',
				example: { body_text: [['Asha', '40%']] },
			},
			{ type: 'FOOTER', text: 'Reply STOP to receive no more offers' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'Shop the sale', url: 'https://meeratextiles.example/sale' },
					{ type: 'QUICK_REPLY', text: 'Call me' },
				],
			},
		],
	},
	{
		name: 'order_shipped',
		language: 'en',
		category: 'UTILITY' as const,
		quality: 'GREEN' as const,
		components: [
			{ type: 'HEADER', format: 'TEXT', text: 'Your order is on its way' },
			{
				type: 'BODY',
				text: 'Hello {{1}}, your order {{2}} was handed to our courier and should reach you in {{3}} days.',
				example: { body_text: [['Asha', 'MT-2041', '3']] },
			},
			{ type: 'FOOTER', text: 'Meera Textiles, Pune' },
		],
	},
	{
		name: 'new_arrivals',
		language: 'en',
		category: 'MARKETING' as const,
		quality: 'YELLOW' as const,
		components: [
			{
				type: 'BODY',
				text: 'Hi {{1}}, the new handloom collection has arrived. Visit us this week and see it before everyone else.',
				example: { body_text: [['Asha']] },
			},
			{ type: 'FOOTER', text: 'Reply STOP to receive no more offers' },
		],
	},
	{
		name: 'loyalty_points_hindi',
		language: 'hi',
		category: 'UTILITY' as const,
		status: 'PENDING' as const,
		components: [
			{
				type: 'BODY',
				text: 'नमस्ते {{1}}, आपके खाते में {{2}} पॉइंट हैं। अगली खरीद पर इनका उपयोग करें।',
				example: { body_text: [['आशा', '120']] },
			},
		],
	},
]
