import type { Component } from '#features/templates/contract.ts'
import { kindOf, type ButtonFields, type CardFields, type TemplateFields } from './template-fields.ts'
import { withExamples } from './text/variables.ts'

const NO_BODY_YET = 'Your message appears here as you type.'
const SAMPLE_CODE = '123456'

/** Returns the message for the preview, with variables replaced by their examples. */
export function previewMessage(fields: TemplateFields): Component[] {
	if (fields.category === 'AUTHENTICATION') return presetMessage(fields)
	const { header_type, header_text, header_example, body_text, body_examples, footer_text, buttons } = fields
	const kind = kindOf(fields)
	const body = { type: 'BODY', text: withExamples({ text: body_text, examples: body_examples }) || NO_BODY_YET }
	if (kind === 'CAROUSEL') {
		const cards = fields.cards.map((card) => ({ components: previewCard(card, fields.card_header) }))
		return [body, { type: 'CAROUSEL', cards }]
	}
	const isOffer = kind === 'LIMITED_TIME_OFFER'
	const header = withExamples({ text: header_text, examples: [header_example] })
	return [
		...(header_type === 'NONE' ? [] : [{ type: 'HEADER', format: header_type, text: header }]),
		...(isOffer
			? [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: fields.offer_text, has_expiration: true } }]
			: []),
		body,
		...(footer_text && !isOffer ? [{ type: 'FOOTER', text: footer_text }] : []),
		...buttonComponents(buttons),
	]
}

function previewCard({ body_text, body_examples, buttons }: CardFields, format: string): Component[] {
	const text = withExamples({ text: body_text, examples: body_examples })
	return [{ type: 'HEADER', format }, ...(text ? [{ type: 'BODY', text }] : []), ...buttonComponents(buttons)]
}

function buttonComponents(buttons: readonly ButtonFields[]): Component[] {
	if (buttons.length === 0) return []
	return [{ type: 'BUTTONS', buttons: buttons.map(({ type, text }) => ({ type, text: text || LABELS[type] })) }]
}

// Labels of buttons without text. WhatsApp provides the text of COPY_CODE and REQUEST_CONTACT_INFO buttons.
const LABELS: Record<TemplateFields['buttons'][number]['type'], string> = {
	QUICK_REPLY: 'Quick reply',
	URL: 'Visit website',
	PHONE_NUMBER: 'Call us',
	COPY_CODE: 'Copy offer code',
	REQUEST_CONTACT_INFO: 'Share phone number',
}

/** Returns the message of an AUTHENTICATION template in English. Meta translates it into the template's language. */
function presetMessage(fields: TemplateFields): Component[] {
	const { add_security_recommendation, code_expiration_minutes: minutes, otp_button_text } = fields
	const advice = add_security_recommendation ? ' For your security, do not share this code.' : ''
	return [
		{ type: 'BODY', text: `*${SAMPLE_CODE}* is your verification code.${advice}` },
		...(minutes ? [{ type: 'FOOTER', text: `This code expires in ${minutes} minutes.` }] : []),
		{ type: 'BUTTONS', buttons: [{ type: 'OTP', text: otp_button_text || 'Copy code' }] },
	]
}
