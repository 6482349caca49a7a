import type { Credentials, Simulator } from '#simulator/simulator.ts'

/** Creates the demo business in the simulated network, or returns the one that its state directory already has. */
export async function createDemoNetwork({ control }: Simulator): Promise<Credentials> {
	const credentials = await control.createAccount({
		name: 'Meera Textiles',
		phone: '915550100100',
		wabaId: '104500000000001',
		phoneNumberId: '104500000000002',
		appId: '104500000000003',
		appSecret: 'demo-app-secret',
		token: 'demo-access-token',
	})
	for (const template of TEMPLATES) await control.addTemplate({ ...template, waba_id: credentials.waba_id })
	return credentials
}

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
