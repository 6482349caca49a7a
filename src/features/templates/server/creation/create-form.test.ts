import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templates } from '#features/templates/contract.ts'
import { launchTestApp } from '#test/http-app.ts'
import { fieldsOf, fileOf, MP4, PNG, templateTests } from '#test/scenes/template-tests.ts'

const app = await launchTestApp({ simulator: true })
const { person } = await templateTests(app).connected()

let created = 0

/** Posts a form as other programs may: each field as given, unless it is undefined. */
async function post(change: Record<string, string | undefined>, file?: File) {
	const form = new FormData()
	const name = `template_${created++}`
	const fields = { name, category: 'UTILITY', language: 'en_US', body_text: `Order ${created} has left our shop.` }
	for (const [field, text] of Object.entries({ ...fields, ...change })) if (text !== undefined) form.set(field, text)
	if (file) form.set('header_file', file)
	const response = await fetch(app.url + templates.create.path, {
		method: 'POST',
		headers: { authorization: `Bearer ${person.token}` },
		body: form,
	})
	const body = (await response.json()) as { message: string; template: { components: { type: string }[] } }
	const part = (type: string) => body.template.components.find((component) => component.type === type)
	return { status: response.status, message: body.message, fields: fieldsOf(body), part }
}

test('create returns 400 for an empty form, with the name and body first and every missing field named', async () => {
	const { status, message, fields } = await post({
		name: undefined,
		category: undefined,
		language: undefined,
		body_text: undefined,
	})
	assert.deepEqual([status, message], [400, 'Template name and body text are required'])
	assert.deepEqual(fields, {
		name: 'Template name and body text are required',
		body_text: 'Template name and body text are required',
		category: 'Please select a category',
		language: 'Language is required',
	})
})

test('create accepts empty, null and lower-case fields', async () => {
	for (const header_type of ['', 'none', 'NONE'])
		for (const list of ['', 'null', '[]']) {
			const { status, part } = await post({ header_type, body_examples: list, buttons: list, category: 'utility' })
			assert.deepEqual([status, part('HEADER'), part('BUTTONS')], [200, undefined, undefined])
		}
	const buttons = JSON.stringify([
		{ type: 'quick_reply', text: 'Yes', url: null, phone_number: null },
		{ type: 'PHONE_NUMBER', text: 'Call', url: '', phone_number: 9_876_543_210 },
	])
	const { part } = await post({ buttons })
	assert.deepEqual(part('BUTTONS'), {
		type: 'BUTTONS',
		buttons: [
			{ type: 'QUICK_REPLY', text: 'Yes' },
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+919876543210' },
		],
	})
})

test('create accepts examples as texts or numbers, in a list or in Meta’s nested list', async () => {
	for (const [index, examples] of [['Asha', '17'], ['Asha', 17], [['Asha', '17']]].entries()) {
		const body_text = `Dear {{1}}, order {{2}} is on its way since ${index} o’clock.`
		const { status, part } = await post({ body_text, body_examples: JSON.stringify(examples) })
		assert.equal(status, 200)
		assert.deepEqual(part('BODY'), { type: 'BODY', text: body_text, example: { body_text: [['Asha', '17']] } })
	}
})

test('create accepts a template without a file as JSON with real lists', async () => {
	const response = await fetch(app.url + templates.create.path, {
		method: 'POST',
		headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
		body: JSON.stringify({
			name: 'from_json',
			category: 'UTILITY',
			language: 'en_US',
			body_text: 'Dear {{1}}, your parcel waits for you.',
			body_examples: ['Asha'],
			buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
		}),
	})
	assert.equal(response.status, 200, await response.text())
})

test('create returns 400 with a message for malformed lists and unknown choices', async () => {
	for (const [field, text, message] of [
		['buttons', '{', 'Buttons must be a JSON list'],
		['buttons', '{}', 'Buttons must be a JSON list'],
		['body_examples', 'Asha', 'Examples must be a JSON list of texts'],
		['body_examples', '{"1":"Asha"}', 'Examples must be a JSON list of texts'],
		['category', 'NEWS', 'Please select a category'],
		['header_type', 'MAP', 'Please select a header type'],
		['kind', 'GALLERY', 'A template is STANDARD, CAROUSEL or LIMITED_TIME_OFFER'],
		['cards', '{', 'Cards must be a JSON list'],
	] as const) {
		const answer = await post({ [field]: text })
		assert.deepEqual([answer.status, answer.fields], [400, { [field]: message }])
	}
	const unknown = await post({ buttons: '[{"type":"FLOW","text":"Go"}]' })
	assert.equal(unknown.message, 'A button is QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE or REQUEST_CONTACT_INFO')
})

test('create detects a header file’s type by content, whatever type was declared, and refuses others at its field', async () => {
	for (const type of ['image/jpg', '', 'video/mp4']) {
		const { status } = await post({ header_type: 'image' }, fileOf(PNG, 'offer.png', type))
		assert.equal(status, 200, type)
	}
	const gif = await post({ header_type: 'IMAGE' }, fileOf(Buffer.from('GIF89a'), 'offer.gif', 'image/gif'))
	assert.deepEqual([gif.status, gif.fields], [400, { header_file: 'This file is not a JPEG or PNG image' }])
})

const large = (head: Buffer, megabytes: number) =>
	fileOf(Buffer.concat([head, Buffer.alloc(megabytes * 1024 * 1024)]), 'large', 'application/octet-stream')

test('create names the limit of the header’s kind for a file of any size', async () => {
	for (const megabytes of [5, 20])
		assert.equal((await post({ header_type: 'IMAGE' }, large(PNG, megabytes))).message, 'File size exceeds 5MB limit')
	const video = await post({ header_type: 'VIDEO' }, large(MP4, 16))
	assert.equal(video.message, 'File size exceeds 16MB limit')
	assert.equal((await post({ header_type: 'DOCUMENT' }, large(PNG, 20))).message, 'File size exceeds 10MB limit')
})

test('create counts a line break in a body as one character, although multipart forms write two', async () => {
	const longest = `${'x\n'.repeat(511)}xx`
	for (const body_text of ['Your order has left.\n\nThank you', longest]) {
		const { status, message, part } = await post({ body_text })
		assert.deepEqual([status, message], [200, 'Template submitted for approval'])
		assert.deepEqual(part('BODY'), { type: 'BODY', text: body_text })
	}
	assert.equal((await post({ body_text: `${longest}x` })).status, 400)
})
