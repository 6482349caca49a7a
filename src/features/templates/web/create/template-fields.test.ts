import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { templateProblems } from '#features/templates/rules.ts'
import { changedKind, newCard, withButtons } from './kinds.ts'
import {
	bodyOf,
	draftOf,
	EMPTY_TEMPLATE,
	filesOf,
	HEADER_FILE,
	isSame,
	newButton,
	readTemplateDraft,
	templateDraftName,
	writableName,
	type ChosenFiles,
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

const body = (fields: TemplateFields, files: ChosenFiles = new Map()) =>
	bodyOf(fields, { files, requestId: REQUEST_ID })
const chosen = (key: string): ChosenFiles => new Map([[key, new File(['x'], 'new.png')]])

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
		assert.equal(body(fields, chosen(HEADER_FILE)).header_from, undefined)
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
	const files = chosen(HEADER_FILE)
	assert.equal(draftOf({ ...FULL, header_type: 'IMAGE' }, files).headerFile, files.get(HEADER_FILE))
	assert.equal(draftOf(FULL, files).headerFile, undefined)
})

suite('a carousel', () => {
	const start: TemplateFields = { ...FULL, ...changedKind(FULL, 'CAROUSEL', 'k') }
	const [first = newCard('k-1'), second = newCard('k-2')] = start.cards
	const link = { ...newButton('URL', 'k-1-0'), text: 'Shop now', url: 'https://x.in/1' }
	const cards = [
		{ ...first, body_text: 'Sofa {{1}} in oak', body_examples: ['A1'], buttons: [link], file_of_card: 2 },
		{ ...newCard('k-2', { buttons: [link] }), body_text: 'Table' },
	]
	const fields: TemplateFields = { ...start, header_from: '12', cards }

	test('begins with two cards, and a new card has the labels of the buttons of the one before', () => {
		assert.deepEqual([start.cards.length, second.buttons.map(({ type }) => type)], [2, ['URL']])
		assert.deepEqual([cards[1]?.buttons[0]?.text, cards[1]?.buttons[0]?.url], ['Shop now', ''])
	})

	test('sends its cards without the header, footer and buttons of the form, and names the card whose file is reused', () => {
		const sent = body(fields, chosen('k-2'))
		assert.deepEqual(
			[sent.kind, sent.header_type, sent.footer_text, sent.buttons, sent.header_from],
			['CAROUSEL', 'NONE', undefined, '[]', '12'],
		)
		assert.deepEqual(JSON.parse(sent.cards ?? ''), [
			{
				header_type: 'IMAGE',
				body_text: 'Sofa {{1}} in oak',
				body_examples: ['A1'],
				buttons: [{ type: 'URL', text: 'Shop now', url: 'https://x.in/1', count_clicks: true }],
				file_of_card: 2,
			},
			{
				header_type: 'IMAGE',
				body_text: 'Table',
				body_examples: [],
				buttons: [{ type: 'URL', text: 'Shop now', url: '', count_clicks: true }],
			},
		])
		assert.deepEqual(Object.keys(filesOf(fields, chosen('k-2'))), ['card_file_1', 'card_file_2'])
	})

	test('has a problem at the file of a new card, though another card reuses the file of the original', () => {
		const problems = templateProblems(draftOf(fields)).map(({ field }) => field)
		assert.deepEqual(problems, ['cards.1.file', 'cards.1.buttons.0.url'])
	})

	test('gives all cards the chosen kinds of buttons, and keeps the texts of buttons', () => {
		const changed = withButtons(cards, ['QUICK_REPLY', 'URL'])
		assert.deepEqual(
			changed.map(({ buttons }) => buttons.map(({ type, text }) => `${type} ${text}`)),
			[
				['QUICK_REPLY Shop now', 'URL '],
				['QUICK_REPLY Shop now', 'URL '],
			],
		)
	})
})

test('changedKind keeps the link of a message that becomes an offer, and puts the code before it', () => {
	const fields = { ...FULL, ...changedKind(FULL, 'LIMITED_TIME_OFFER', 'k'), offer_text: 'Ends soon' }
	const sent = body(fields)
	assert.deepEqual([sent.kind, sent.header_type, sent.offer_text], ['LIMITED_TIME_OFFER', 'NONE', 'Ends soon'])
	assert.match(sent.buttons, /"COPY_CODE".*"URL"/)
	assert.deepEqual(templateProblems(draftOf(fields)), [])
	assert.equal(draftOf({ ...fields, category: 'UTILITY' }).kind, undefined)
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
