import { isObject, type JsonObject, shown } from '../graph/json.ts'
import { fillIn, variablesIn } from '../graph/placeholders.ts'
import type { NetworkState } from '../network-state.ts'
import type { ReceivedMessage } from '../network/counters.ts'
import { digitsOf } from '../state/digits.ts'
import type { Answer } from './answer.ts'
import { escapeHtml as escape } from './html.ts'

export const PHONES_PATH = '/_simulator/phone'

/** Maximum number of messages shown on a phone, and of phones in the list. */
const MAX_SHOWN = 50

/**
 * Returns the page that shows a recipient's messages to people who try the product: `?number=` selects the phone, and without
 * it the page lists the phones.
 */
export function answerPhone(state: NetworkState, url: string): Answer {
	const number = digitsOf(new URL(url, 'http://simulator').searchParams.get('number') ?? '')
	const body = number === '' ? phones(state) : phone(state, number)
	return { status: 200, headers: HEADERS, body: body.join('\n') }
}

const HEADERS = {
	'content-type': 'text/html; charset=UTF-8',
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
}

function phones({ counters }: NetworkState): string[] {
	const numbers = counters.lastRecipients(MAX_SHOWN)
	return page('Phones of this demo', [
		`<form><label>Number, with country code <input name="number" inputmode="tel" required></label> <button>Open</button></form>`,
		numbers.length === 0
			? '<p>Nobody has got a message since the start. Send a campaign, then load this page again.</p>'
			: '<p>Who got a message last:</p>',
		...numbers.map((number) => `<p><a href="${PHONES_PATH}?number=${number}">+${number}</a></p>`),
	])
}

function phone(state: NetworkState, number: string): string[] {
	const messages = state.counters.recentOf(number).slice(-MAX_SHOWN).toReversed()
	return page(`Phone +${number}`, [
		`<p><a href="${PHONES_PATH}">All phones</a> <a href="${PHONES_PATH}?number=${number}">Look again</a></p>`,
		...(messages.length === 0 ? ['<p>No messages since the start.</p>'] : []),
		...messages.map((message) => bubble(state, message)),
	])
}

const TIME = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' })

function bubble(state: NetworkState, message: ReceivedMessage): string {
	const from = state.directory.phones.get(message.phone_number_id)
	const payload = objectOf(message.payload)
	const content = objectOf(payload[message.type])
	const lines =
		message.type === 'template' && from
			? templateIn(state, from.waba_id, content)
			: [text(content['body'] ?? `(${message.type})`)]
	const head = `<b>${escape(from?.verified_name)}</b> <time>${TIME.format(message.accepted_at)}</time>`
	return `<article>${head}\n${lines.join('\n')}</article>`
}

function templateIn({ templates }: NetworkState, wabaId: string, content: JsonObject): string[] {
	const language = shown(objectOf(content['language'])['code'])
	const template = templates.inLanguage(wabaId, shown(content['name']), language)
	// The template was deleted after the send.
	if (!template) return [text(`(template ${shown(content['name'])})`)]
	const sent = listOf(content['components'])
	const partOf = (type: string) => sent.find((part) => shown(part['type']).toLowerCase() === type)
	return template.components.flatMap((component) => {
		if (component['type'] === 'BUTTONS') return listOf(component['buttons']).map((each, at) => button(each, at, sent))
		if (component['format'] !== undefined && component['format'] !== 'TEXT')
			return [text(`(${shown(component['format']).toLowerCase()})`)]
		return [text(filled(component['text'], partOf(shown(component['type']).toLowerCase())))]
	})
}

/** Returns a button as HTML. A link button is a link; any other button shows only its label. */
function button(given: JsonObject, index: number, sent: JsonObject[]): string {
	const part = sent.find((each) => shown(each['type']).toLowerCase() === 'button' && Number(each['index']) === index)
	const url = filled(given['url'], part)
	if (!/^https?:\/\//i.test(url)) return `<p class="button">${escape(given['text'])}</p>`
	return `<p><a class="button" target="_blank" rel="noreferrer" href="${escape(url)}">${escape(given['text'])}</a></p>`
}

/** Replaces the variables of a template's text by the parameters of a message, by name or by position. */
function filled(template: unknown, part: JsonObject | undefined): string {
	const whole = typeof template === 'string' ? template : ''
	const names = variablesIn(whole)
	const values = new Map<string, string>()
	for (const [at, each] of listOf(part?.['parameters']).entries())
		values.set(shown(each['parameter_name'] ?? names[at]), shown(each['text']))
	return fillIn(whole, values)
}

function page(title: string, content: string[]): string[] {
	return [
		'<!doctype html><html lang="en"><head><meta charset="utf-8">',
		'<meta name="viewport" content="width=device-width, initial-scale=1">',
		`<title>${escape(title)}</title><style>${STYLE}</style></head><body><main><h1>${escape(title)}</h1>`,
		...content,
		'</main></body></html>',
	]
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 420px; margin: 0 auto }
h1 { font-size: 20px }
a, button, .button { display: inline-block; min-height: 44px; padding: 10px 12px; font: inherit; box-sizing: border-box }
input { width: 100%; min-height: 44px; margin: 4px 0 8px; font: inherit; box-sizing: border-box }
article { margin: 0 0 16px; padding: 12px; border: 1px solid GrayText; border-radius: 12px; overflow-wrap: anywhere }
article p { margin: 4px 0; white-space: pre-wrap }
article .button { display: block; text-align: center }
time { float: right; font-size: 13px }
`

const text = (value: unknown): string => `<p>${escape(value)}</p>`

function objectOf(value: unknown): JsonObject {
	return isObject(value) ? value : {}
}

function listOf(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.filter(isObject) : []
}
