import type { SeedTemplate } from '#simulator/control.ts'
import { ofLength, unbroken } from './texts.ts'

type Template = Omit<SeedTemplate, 'waba_id'>

export const LONG_TEMPLATE_NAME = `${'seasonal_offer_for_returning_customers_'.repeat(3)}v2`
export const HINDI_TEMPLATE_NAME = 'utsav_sandesh'

const bodyOf = (text: string, ...examples: string[]) => ({
	type: 'BODY',
	text,
	...(examples.length > 0 && { example: { body_text: [examples] } }),
})

export const HARD_TEMPLATES: Template[] = [
	{
		name: LONG_TEMPLATE_NAME,
		language: 'en',
		category: 'MARKETING',
		quality: 'GREEN',
		components: [
			{ type: 'HEADER', format: 'TEXT', text: ofLength('Only this weekend 🎉 everything must go ', 60) },
			// 1,024 characters, the maximum of WhatsApp, when filled with the longest first name (62) and a code of 60.
			bodyOf(
				`Hello {{1}}, ${ofLength('come and see what is new, and bring your family along. 🙏 ', 892)} {{2}}.`,
				'Asha',
				'1',
			),
			{ type: 'FOOTER', text: ofLength('Reply STOP to receive no more offers from this shop ', 60) },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'URL', text: 'See the whole collection', url: `https://shop.example/${unbroken(300)}` },
					{ type: 'QUICK_REPLY', text: 'मुझे और नहीं चाहिए, रुकें' },
					{ type: 'PHONE_NUMBER', text: 'اتصل بنا الآن', phone_number: '+971501234567' },
				],
			},
		],
	},
	{
		name: HINDI_TEMPLATE_NAME,
		language: 'hi',
		category: 'UTILITY',
		quality: 'YELLOW',
		components: [bodyOf('नमस्ते {{1}}, आपका ऑर्डर {{2}} आज शाम तक पहुँच जाएगा। धन्यवाद!', 'आशा', 'MT-2041')],
	},
	{
		name: 'arabic_offer',
		language: 'ar',
		category: 'MARKETING',
		quality: 'RED',
		components: [bodyOf('مرحبا {{1}}، خصم {{2}} على كل شيء هذا الأسبوع (من 1 إلى 7).', 'فاطمة', '20%')],
	},
	{
		name: 'unbroken_words',
		language: 'en_US',
		category: 'UTILITY',
		components: [bodyOf(`Code ${unbroken(300)} and https://shop.example/${unbroken(250)}?x=1 end.`)],
	},
	{
		name: 'rejected_for_a_long_reason',
		language: 'pt_BR',
		category: 'MARKETING',
		status: 'REJECTED',
		components: [bodyOf('Buy now, {{1}}!', 'Asha')],
	},
	{ name: 'a', language: 'ta', category: 'UTILITY', status: 'PENDING', components: [bodyOf('வணக்கம்')] },
]
