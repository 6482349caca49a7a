import type { Component } from '#simulator/state/templates.ts'
import { isObject, type JsonObject, shown } from '../json.ts'
import { refusal } from './refusal.ts'

const PARTS = ['BODY', 'FOOTER', 'BUTTONS']
const ADVICE = ' For your security, do not share this code.'

/**
 * Returns the components of an authentication template. Meta sets the text; the caller chooses only the advice, the expiry and
 * the code button.
 */
export function authenticationComponents(components: JsonObject[]): Component[] {
	const otp = otpButton(components)
	for (const { type, text } of components) {
		if (text !== undefined)
			throw refusal('unexpected', `component of type ${String(type)} has unexpected field(s) (text)`)
	}
	if (!otp || components.some(({ type }) => !PARTS.includes(String(type)))) throw refusal('authentication')
	const body = components.find((component) => component['type'] === 'BODY')
	const footer = components.find((component) => component['type'] === 'FOOTER')
	const advice = body?.['add_security_recommendation'] === true
	const minutes = footer?.['code_expiration_minutes']
	const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
	const button = { type: 'URL', text: otp['text'] ?? 'Copy code', url, example: [url.replace('{{1}}', '123456')] }
	return [
		{
			type: 'BODY',
			text: `*{{1}}* is your verification code.${advice ? ADVICE : ''}`,
			add_security_recommendation: advice,
			example: { body_text: [['123456']] },
		},
		...(minutes === undefined
			? []
			: [
					{
						type: 'FOOTER',
						text: `This code expires in ${shown(minutes)} minutes.`,
						code_expiration_minutes: minutes,
					},
				]),
		{ type: 'BUTTONS', buttons: [button] },
	]
}

function otpButton(components: JsonObject[]): JsonObject | null {
	const buttons = components.find((component) => component['type'] === 'BUTTONS')?.['buttons']
	const [button, ...more] = Array.isArray(buttons) ? buttons.filter(isObject) : []
	return button && more.length === 0 && button['type'] === 'OTP' ? button : null
}
