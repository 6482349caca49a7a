import { invalidParam, missingParam, wrongValue } from '../errors.ts'
import { type JsonObject, isObject, listAt, objectAt, optionalText, textAt, textUpTo } from '../json.ts'
import { countCharacters } from '../text.ts'

const OTHER_TYPES = [
	'location_request_message',
	'address_message',
	'flow',
	'product',
	'product_list',
	'catalog_message',
	'call_permission_request',
]

/** Validates reply buttons, lists and link buttons. Other types only need a type and a body. */
export function checkInteractive(interactive: JsonObject): void {
	const type = textAt(interactive['type'], 'interactive.type')
	if (interactive['footer'] !== undefined) {
		textUpTo(objectAt(interactive['footer'], 'footer')['text'], 'interactive.footer.text', 60)
	}
	if (type !== 'product') {
		const body = objectAt(interactive['body'], 'interactive.body')
		lengthUpTo(body['text'], 'Body text', type === 'list' ? 4_096 : 1_024)
	}
	if (type === 'button') return checkButtons(actionOf(interactive))
	if (type === 'list') return checkList(actionOf(interactive))
	if (type === 'cta_url') return checkLink(actionOf(interactive))
	if (type === 'request_contact_info') return checkContactRequest(actionOf(interactive))
	if (!OTHER_TYPES.includes(type)) throw invalidParam(`Param interactive['type'] ${type} is not supported.`)
}

function checkContactRequest(action: JsonObject): void {
	if (action['name'] !== 'request_contact_info') throw wrongValue('The action of this message is request_contact_info.')
}

function actionOf(interactive: JsonObject): JsonObject {
	return objectAt(interactive['action'], 'interactive.action')
}

function checkButtons(action: JsonObject): void {
	const buttons = listAt(action['buttons'], 'interactive.action.buttons')
	if (buttons.length < 1 || buttons.length > 3)
		throw wrongValue('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3')
	const titles = buttons.map((button) => checkReply(isObject(button) ? button['reply'] : undefined))
	if (new Set(titles).size < titles.length) throw wrongValue('Duplicated title of buttons.')
}

function checkReply(reply: unknown): string {
	const { id, title } = objectAt(reply, 'button.reply')
	textUpTo(id, 'button.reply.id', 256)
	return lengthUpTo(title, 'Button title', 20)
}

function lengthUpTo(value: unknown, what: string, maxLength: number): string {
	if (typeof value === 'string' && value !== '' && countCharacters(value) <= maxLength) return value
	throw wrongValue(`${what} length invalid. Min length: 1, Max length: ${maxLength}`)
}

function checkList(action: JsonObject): void {
	textUpTo(action['button'], 'interactive.action.button', 20)
	const sections = listAt(action['sections'], 'interactive.action.sections')
	const rows = sections.flatMap((section) => checkSection(section, sections.length))
	if (rows.length < 1 || rows.length > 10) throw wrongValue('Total row count exceed max allowed count: 10')
	if (new Set(rows).size < rows.length) throw wrongValue('Duplicated row id.')
}

function checkSection(section: unknown, sections: number): string[] {
	const { title, rows } = objectAt(section, 'section')
	if (sections > 1 && title === undefined) throw missingParam('Section title is required when there is more than one.')
	optionalText(title, 'section.title', 24)
	return listAt(rows, 'section.rows').map((row) => {
		const { id, title: rowTitle, description } = objectAt(row, 'row')
		if (countCharacters(textAt(rowTitle, 'row.title')) > 24) throw wrongValue('Row title is too long. Max length is 24')
		optionalText(description, 'row.description', 72)
		return textUpTo(id, 'row.id', 200)
	})
}

function checkLink(action: JsonObject): void {
	const parameters = objectAt(action['parameters'], 'interactive.action.parameters')
	textUpTo(parameters['display_text'], 'parameters.display_text', 20)
	if (!/^https?:\/\//.test(textAt(parameters['url'], 'parameters.url'))) throw wrongValue('url is not valid.')
}
