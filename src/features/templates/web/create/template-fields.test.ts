import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
	bodyOf,
	draftOf,
	EMPTY_TEMPLATE,
	isSame,
	newButton,
	readTemplateDraft,
	templateDraftName,
	writableName,
	type TemplateFields,
} from './template-fields.ts'

const REQUEST_ID = 'request-1'
const FULL: TemplateFields = {
	...EMPTY_TEMPLATE,
	name: 'diwali',
	header_type: 'TEXT',
	header_text: 'For {{1}}',
	header_example: 'Asha',
	body_text: 'Hi {{1}}, it begins.',
	body_examples: ['Asha'],
	footer_text: 'Meera',
	buttons: [
		{ ...newButton('URL', 'a'), text: 'Shop', url: 'https://x.in/{{1}}', url_example: 'sale', phone_number: '98' },
		{ ...newButton('URL', 'b'), text: 'Home', url: 'https://x.in', url_example: 'left over' },
		{ ...newButton('COPY_CODE', 'c'), text: 'left over', code_example: 'SAVE10' },
	],
}

const body = (fields: TemplateFields, headerFile: File | null = null) =>
	bodyOf(fields, { headerFile, requestId: REQUEST_ID })

suite('bodyOf', () => {
	test('sends only the fields that each button’s type uses', () =>
		assert.deepEqual(JSON.parse(body(FULL).buttons), [
			{ type: 'URL', text: 'Shop', url: 'https://x.in/{{1}}', url_example: 'sale' },
			{ type: 'URL', text: 'Home', url: 'https://x.in', count_clicks: true },
			{ type: 'COPY_CODE', code_example: 'SAVE10' },
		]))

	test('counts no clicks of an http address, and none where counting is turned off', () => {
		const http = { ...newButton('URL', 'a'), text: 'Shop', url: 'http://x.in' }
		const off = { ...newButton('URL', 'b'), text: 'Home', url: 'https://x.in', count_clicks: false }
		assert.deepEqual(JSON.parse(body({ ...FULL, buttons: [http, off] }).buttons), [
			{ type: 'URL', text: 'Shop', url: 'http://x.in' },
			{ type: 'URL', text: 'Home', url: 'https://x.in' },
		])
	})

	test('sends the header text and its example, and no file of an original', () => {
		const sent = body({ ...FULL, header_from: '12' })
		assert.deepEqual(
			[sent.header_type, sent.header_text, sent.header_example, sent.header_from],
			['TEXT', 'For {{1}}', 'Asha', undefined],
		)
	})

	test('sends the original whose file is reused, unless a new file was chosen', () => {
		const fields: TemplateFields = { ...FULL, header_type: 'IMAGE', header_from: '12' }
		assert.equal(body(fields).header_from, '12')
		assert.equal(body(fields).header_text, undefined)
		assert.equal(body(fields, new File(['x'], 'new.png')).header_from, undefined)
	})

	test('sends no texts for an authentication template', () => {
		const { requestId, ...sent } = body({ ...FULL, category: 'AUTHENTICATION' })
		assert.equal(requestId, REQUEST_ID)
		assert.deepEqual(sent, {
			name: 'diwali',
			category: 'AUTHENTICATION',
			language: 'en',
			header_type: 'NONE',
			body_text: '',
			body_examples: '[]',
			buttons: '[]',
			code_expiration_minutes: '10',
			otp_button_text: 'Copy code',
			add_security_recommendation: 'true',
		})
	})
})

test('draftOf includes the chosen file of a media header, and none for a text header', () => {
	const file = new File(['x'], 'new.png')
	assert.equal(draftOf({ ...FULL, header_type: 'IMAGE' }, file).headerFile, file)
	assert.equal(draftOf(FULL, file).headerFile, undefined)
})

test('isSame returns true for an untouched form and false for a changed one', () => {
	assert.equal(isSame(FULL, structuredClone(FULL)), true)
	assert.equal(isSame(FULL, { ...FULL, footer_text: '' }), false)
})

test('writableName keeps the characters that Meta accepts in a name', () =>
	assert.equal(writableName('Diwali Offer-2026 (₹500)!'), 'diwali_offer_2026_500'))

const TYPED: TemplateFields = {
	...EMPTY_TEMPLATE,
	name: 'order_shipped',
	body_text: 'Hi {{1}}, it left.',
	body_examples: ['Asha'],
	buttons: [{ ...newButton('URL', 'a1'), text: 'Track', url: 'https://example.com/{{1}}', url_example: '42' }],
}

suite('the draft of a template', () => {
	test('is restored as it was written', () =>
		assert.deepEqual(readTemplateDraft(JSON.parse(JSON.stringify(TYPED))), TYPED))

	test('has its own name for each copied template, so that copies do not share a draft', () =>
		assert.equal(new Set([templateDraftName(null), templateDraftName('12'), templateDraftName('13')]).size, 3))

	for (const kept of [null, 'text', { name: 'a' }, { ...TYPED, header_type: 'PRODUCT' }])
		test(`is null when the store holds ${JSON.stringify(kept).slice(0, 12)}`, () =>
			assert.equal(readTemplateDraft(kept), null))
})
