import { GraphError } from '../errors.ts'
import { isObject, type JsonObject, listAt, stringOf } from '../json.ts'
import { variablesIn } from '../placeholders.ts'
import { countCharacters, isPlainText } from '../text.ts'
import { refusal } from './refusal.ts'

const MAX_PER_TYPE: Record<string, number> = {
	QUICK_REPLY: 10,
	URL: 2,
	PHONE_NUMBER: 1,
	COPY_CODE: 1,
	REQUEST_CONTACT_INFO: 1,
}

/** Returns the button as Meta stores it: a phone number gets a leading plus. */
export function storedButton(button: unknown): unknown {
	if (!isObject(button)) return button
	if (button['type'] === 'REQUEST_CONTACT_INFO') return { ...button, text: 'Share contact info' }
	if (button['type'] !== 'PHONE_NUMBER') return button
	const phone = stringOf(button['phone_number']) ?? ''
	return { ...button, phone_number: phone.startsWith('+') ? phone : `+${phone}` }
}

/** Validates the buttons of a template: at most ten, with a limit for each type, and all quick replies next to each other. */
export function checkButtons(value: unknown, path: string): void {
	const buttons = listAt(value, 'buttons').filter(isObject)
	if (buttons.length < 1 || buttons.length > 10) throw refusal('buttons', 'A template has one to ten buttons.')
	const types = buttons.map((button) => String(button['type']))
	for (const [type, max] of Object.entries(MAX_PER_TYPE)) {
		if (types.filter((each) => each === type).length <= max) continue
		throw refusal('buttons', `At max ${max} of kind ${type}.`)
	}
	const groups = types.map((type) => type === 'QUICK_REPLY').filter((quick, index, all) => quick !== all[index - 1])
	if (groups.length > 2) throw refusal('buttons', 'Quick replies must stand together.')
	const replies = buttons
		.filter(({ type }) => type === 'QUICK_REPLY')
		.map(({ text }) => String(text).trim().toLowerCase())
	if (new Set(replies).size < replies.length) throw refusal('buttons', 'Two quick replies have the same text.')
	for (const [index, button] of buttons.entries()) checkButton(button, `${path}['buttons'][${index}]`)
}

function checkButton(button: JsonObject, path: string): void {
	const type = String(button['type'])
	if (type === 'COPY_CODE') {
		const example = [button['example']].flat()[0]
		if (typeof example !== 'string' || example === '') throw refusal('buttons', 'The code needs an example.')
		if (countCharacters(example) > 20) throw refusal('too-long', 'The code may have 20 characters.')
		return
	}
	// The network sets the label itself.
	if (type === 'REQUEST_CONTACT_INFO') return
	const text = stringOf(button['text'])
	if (!text) throw refusal('components', `button of type ${type} is missing expected field(s) (text)`)
	if (countCharacters(text) > 25) throw refusal('too-long', 'The text of a button may have 25 characters.')
	if (variablesIn(text).length > 0 || !isPlainText(text)) throw refusal('button-text')
	if (type === 'URL') checkUrl(button)
	if (type !== 'PHONE_NUMBER') return
	const phone = stringOf(button['phone_number']) ?? ''
	if (/^\+?\d{5,19}$/.test(phone)) return
	throw new GraphError(192, { message: `(#192) Param ${path}['phone_number'] is not a valid phone number.` })
}

function checkUrl(button: JsonObject): void {
	const url = stringOf(button['url']) ?? ''
	if (countCharacters(url) > 2_000) throw refusal('too-long', 'A URL may have 2000 characters.')
	if (!/^https?:\/\/[^\s{}]+/.test(url)) throw refusal('buttons', 'The URL is not valid.')
	const variables = variablesIn(url)
	if (variables.length === 0) return
	if (variables.length > 1 || !/\{\{(1|[a-z][a-z0-9_]*)\}\}$/.test(url)) {
		throw refusal('buttons', 'A URL may hold one variable, at its end.')
	}
	if ([button['example']].flat().length !== 1 || button['example'] === undefined) {
		throw refusal('components', 'button of type URL is missing expected field(s) (example)')
	}
}
