import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test-scene.ts'

const BUTTONS = ['Yes', 'No'].map((title) => ({ type: 'reply', reply: { id: title, title } }))
const ROWS = [{ id: '1', title: 'One', description: 'First' }]
const TEXT = { text: 'Which?' }
const LINK = 'https://example.com/file'

const TAKEN: [type: string, content: unknown][] = [
	['text', { body: 'Hello', preview_url: true }],
	['image', { link: LINK, caption: 'A caption' }],
	['image', { link: LINK, caption: '' }],
	['video', { link: LINK }],
	['document', { link: LINK, filename: 'a.pdf' }],
	['audio', { link: LINK }],
	['sticker', { link: LINK }],
	['location', { latitude: 18.5, longitude: 73.8, name: 'Here' }],
	['contacts', [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+91 98765 43210' }] }]],
	['reaction', { message_id: 'wamid.x', emoji: '' }],
	['interactive', { type: 'button', body: TEXT, action: { buttons: BUTTONS } }],
	['interactive', { type: 'list', body: TEXT, action: { button: 'Open', sections: [{ rows: ROWS }] } }],
]

const REFUSED: [type: string, content: unknown, code: number][] = [
	['text', undefined, 131008],
	['text', { body: '' }, 100],
	['text', { body: 'x'.repeat(4_097) }, 100],
	['image', {}, 131008],
	['image', { link: LINK, caption: 'x'.repeat(1_025) }, 100],
	['audio', { link: LINK, caption: 'no' }, 100],
	['location', { latitude: 91, longitude: 0 }, 131009],
	['location', { latitude: 1 }, 131008],
	['contacts', [], 131008],
	['reaction', { emoji: '👍' }, 100],
	['interactive', { type: 'button', body: TEXT, action: { buttons: [...BUTTONS, ...BUTTONS] } }, 131009],
	['interactive', { type: 'button', body: TEXT, action: {} }, 100],
	['interactive', { type: 'list', body: TEXT, action: { button: 'Open', sections: [{ rows: [] }] } }, 131009],
	['poll', {}, 100],
]

test('a valid message of every type is accepted, and an invalid one returns the error code of its fault', async (t) => {
	const { send, control, account } = await startScene(t)
	await control.setPhone({ phone_number_id: account.phone_number_id, window: 'off' })
	for (const [type, content] of TAKEN) {
		const { status, body } = await send({ type, [type]: content })
		assert.equal(status, 200, `${type}: ${JSON.stringify(body)}`)
	}
	for (const [type, content, code] of REFUSED) {
		const { body } = await send({ type, [type]: content })
		assert.equal(body.error?.code, code, `${type}: ${JSON.stringify(content)}`)
	}
})

test('a send with an invalid product, recipient, context or callback data is refused', async (t) => {
	const { send } = await startScene(t)
	const codeOf = async (message: Record<string, unknown>): Promise<unknown> => (await send(message)).body.error?.code
	assert.equal(await codeOf({ messaging_product: 'telegram' }), 100)
	assert.equal(await codeOf({ to: undefined }), 100)
	assert.equal(await codeOf({ to: '+12' }), 131009)
	assert.equal(await codeOf({ context: { id: 'wamid.x' } }), 100)
	assert.equal(await codeOf({ context: { message_id: 'wamid.x' } }), undefined)
	assert.equal(await codeOf({ biz_opaque_callback_data: 'x'.repeat(513) }), 100)
	assert.equal(await codeOf({ biz_opaque_callback_data: 'x'.repeat(512) }), undefined)
})

test('an unknown parameter of the call is ignored, and an unknown parameter within the message’s content is refused', async (t) => {
	const { send, control, account } = await startScene(t)
	await control.setPhone({ phone_number_id: account.phone_number_id, window: 'off' })
	const text = { type: 'text', text: { body: 'Hello' } }
	assert.equal((await send({ ...text, preview_url: false })).status, 200)
	const { error } = (await send({ ...text, text: { body: 'Hello', colour: 'blue' } })).body
	assert.equal(error?.message, '(#100) Unexpected key "colour" on param "text".')
})

function interactive(action: unknown, type = 'button') {
	return { type: 'interactive', interactive: { type, body: TEXT, action } }
}

test('a refused message names the parameter, its bound and what was received', async (t) => {
	const { send } = await startScene(t)
	const refusalOf = async (message: Record<string, unknown>) => {
		const { error } = (await send(message)).body
		return error?.error_data?.details ?? error?.message
	}
	const reply = { type: 'reply', reply: { id: '1', title: 'x'.repeat(21) } }
	const sections = [{ rows: [{ id: '1', title: 'x'.repeat(25) }] }]
	for (const [message, refusal] of [
		[{ to: undefined }, 'The parameter to is required.'],
		[{ messaging_product: undefined }, '(#100) The parameter messaging_product is required.'],
		[{ messaging_product: 'telegram' }, '(#100) Param messaging_product must be one of {WHATSAPP} - got "telegram".'],
		[{ type: 'text', text: { body: '' } }, '(#100) The parameter text.body is required.'],
		[
			{ type: 'text', text: { body: 'x'.repeat(4_097) } },
			'(#100) Param text.body must be at most 4096 characters long.',
		],
		[{ type: 'image', image: { link: 'no link' } }, '(#100) Param image.link is not a valid URI.'],
		[interactive({ buttons: [reply] }), 'Button title length invalid. Min length: 1, Max length: 20'],
		[interactive({ button: 'Open', sections }, 'list'), 'Row title is too long. Max length is 24'],
	] as const) {
		assert.equal(await refusalOf(message), refusal)
	}
	assert.match(
		(await refusalOf({ type: 'jpeg' })) ?? '',
		/^\(#100\) Param type must be one of \{AUDIO, CONTACTS, .*VIDEO\} - got "jpeg"\.$/,
	)
})
