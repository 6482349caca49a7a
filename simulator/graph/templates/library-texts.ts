/** A template of the library in one language. */
export interface LibraryText {
	id: string
	name: string
	language: string
	topic: string
	usecase: string
	industry: readonly string[]
	header?: string
	body: string
	/** Example and type of each variable of the body. */
	params: readonly (readonly [example: string, type: string])[]
	buttons: readonly { type: string; text: string; url?: string; phone_number?: string }[]
}

type Kind = Pick<LibraryText, 'name' | 'topic' | 'usecase' | 'industry' | 'params'> & { buttons: readonly string[] }
type Wording = Pick<LibraryText, 'header' | 'body'> & { buttons?: readonly string[] }

const SHOPS = ['E_COMMERCE']
const ALL = ['E_COMMERCE', 'FINANCIAL_SERVICES']
const BANKS = ['FINANCIAL_SERVICES']

const KINDS: readonly (readonly [Kind, Record<'en' | 'en_US' | 'hi', Wording>])[] = [
	[
		{
			name: 'order_confirmation_1',
			topic: 'ORDER_MANAGEMENT',
			usecase: 'ORDER_CONFIRMATION',
			industry: SHOPS,
			params: [
				['Asha', 'TEXT'],
				['A-1042', 'TEXT'],
				['₹2,450', 'AMOUNT'],
			],
			buttons: ['URL'],
		},
		{
			en: {
				header: 'Order received',
				body: 'Hello {{1}}, we have your order {{2}} for {{3}} and are packing it now.',
				buttons: ['View order'],
			},
			en_US: {
				header: 'Order received',
				body: 'Hi {{1}}, we got your order {{2}} for {{3}}. We are packing it now.',
				buttons: ['View order'],
			},
			hi: {
				header: 'ऑर्डर मिला',
				body: 'नमस्ते {{1}}, {{3}} का आपका ऑर्डर {{2}} हमें मिल गया है। हम उसे पैक कर रहे हैं।',
				buttons: ['ऑर्डर देखें'],
			},
		},
	],
	[
		{
			name: 'order_on_the_way_1',
			topic: 'ORDER_MANAGEMENT',
			usecase: 'SHIPMENT_CONFIRMATION',
			industry: SHOPS,
			params: [
				['A-1042', 'TEXT'],
				['4 December 2026', 'DATE'],
			],
			buttons: ['URL', 'PHONE_NUMBER'],
		},
		{
			en: { body: 'Your order {{1}} has left us. It should arrive on {{2}}.', buttons: ['Track parcel', 'Call us'] },
			en_US: { body: 'Order {{1}} is on its way. Expect it on {{2}}.', buttons: ['Track package', 'Call us'] },
			hi: { body: 'आपका ऑर्डर {{1}} भेज दिया गया है। वह {{2}} को पहुँचेगा।', buttons: ['पार्सल देखें', 'कॉल करें'] },
		},
	],
	[
		{
			name: 'delivery_missed_1',
			topic: 'ORDER_MANAGEMENT',
			usecase: 'DELIVERY_FAILED',
			industry: SHOPS,
			params: [['12 MG Road, Indore', 'ADDRESS']],
			buttons: ['PHONE_NUMBER'],
		},
		{
			en: {
				body: 'We could not deliver your parcel to {{1}} today. Call us to choose another time.',
				buttons: ['Call us'],
			},
			en_US: { body: 'We missed you at {{1}} today. Call us to pick a new time.', buttons: ['Call us'] },
			hi: { body: 'आज {{1}} पर पार्सल नहीं दिया जा सका। दूसरा समय चुनने के लिए कॉल करें।', buttons: ['कॉल करें'] },
		},
	],
	[
		{
			name: 'payment_received_1',
			topic: 'PAYMENTS',
			usecase: 'PAYMENT_CONFIRMATION',
			industry: ALL,
			params: [
				['₹1,200', 'AMOUNT'],
				['28 November 2026', 'DATE'],
				['P-77', 'TEXT'],
			],
			buttons: [],
		},
		{
			en: { body: 'We received your payment of {{1}} on {{2}}. Its receipt has the number {{3}}.' },
			en_US: { body: 'Payment received: {{1}} on {{2}}. Your receipt number is {{3}}.' },
			hi: { body: 'हमें {{2}} को आपका {{1}} का भुगतान मिला। रसीद संख्या {{3}} है।' },
		},
	],
	[
		{
			name: 'payment_due_1',
			topic: 'PAYMENTS',
			usecase: 'PAYMENT_DUE_REMINDER',
			industry: BANKS,
			params: [
				['Ravi', 'TEXT'],
				['₹5,600', 'AMOUNT'],
				['5 December 2026', 'DATE'],
			],
			buttons: ['URL'],
		},
		{
			en: {
				header: 'Payment reminder',
				body: 'Dear {{1}}, your instalment of {{2}} is due on {{3}}. Please pay it in time.',
				buttons: ['Pay now'],
			},
			en_US: {
				header: 'Payment reminder',
				body: 'Hi {{1}}, a payment of {{2}} is due on {{3}}. Please pay on time.',
				buttons: ['Pay now'],
			},
			hi: {
				header: 'भुगतान की याद',
				body: 'प्रिय {{1}}, आपकी {{2}} की किस्त {{3}} को देय है। कृपया समय पर भुगतान करें।',
				buttons: ['भुगतान करें'],
			},
		},
	],
	[
		{
			name: 'low_balance_1',
			topic: 'ACCOUNT_UPDATE',
			usecase: 'LOW_BALANCE_WARNING',
			industry: BANKS,
			params: [
				['4411', 'NUMBER'],
				['₹310', 'AMOUNT'],
			],
			buttons: ['PHONE_NUMBER'],
		},
		{
			en: { body: 'The balance of your account ending in {{1}} is down to {{2}}.', buttons: ['Call the bank'] },
			en_US: { body: 'Your account ending in {{1}} has a low balance of {{2}}.', buttons: ['Call the bank'] },
			hi: { body: 'आपके {{1}} वाले खाते में केवल {{2}} शेष है।', buttons: ['बैंक को कॉल करें'] },
		},
	],
	[
		{
			name: 'feedback_request_1',
			topic: 'CUSTOMER_FEEDBACK',
			usecase: 'FEEDBACK_SURVEY',
			industry: ALL,
			params: [
				['Asha', 'TEXT'],
				['24 November 2026', 'DATE'],
			],
			buttons: ['URL'],
		},
		{
			en: { body: 'Hello {{1}}, how was your visit on {{2}}? Three questions are enough.', buttons: ['Answer'] },
			en_US: { body: 'Hi {{1}}, how was your visit on {{2}}? It takes three questions.', buttons: ['Take survey'] },
			hi: { body: 'नमस्ते {{1}}, {{2}} को आपका अनुभव कैसा रहा? केवल तीन सवाल हैं।', buttons: ['जवाब दें'] },
		},
	],
]

const SAMPLES: Record<string, object> = {
	URL: { url: 'https://www.example.com/' },
	PHONE_NUMBER: { phone_number: '+18005551234' },
}

/** The template library of the simulated network, in its own words. */
export const LIBRARY_TEXTS: readonly LibraryText[] = KINDS.flatMap(([{ buttons, ...kind }, wordings], place) =>
	Object.entries(wordings).map(([language, { buttons: texts = [], ...wording }], at) => ({
		...kind,
		...wording,
		id: String(7_138_055_039_625_000 + place * 10 + at),
		language,
		buttons: buttons.map((type, index) => ({ type, text: texts[index] ?? type, ...SAMPLES[type] })),
	})),
)
