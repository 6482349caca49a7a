import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { draftStore } from './draft.ts'
import { EMPTY_TEMPLATE, newButton, type TemplateFields } from './template-fields.ts'

function memory() {
	const texts = new Map<string, string>()
	return {
		texts,
		getItem: (key: string) => texts.get(key) ?? null,
		setItem: (key: string, text: string) => void texts.set(key, text),
		removeItem: (key: string) => void texts.delete(key),
	}
}

const TYPED: TemplateFields = {
	...EMPTY_TEMPLATE,
	name: 'order_shipped',
	body_text: 'Hi {{1}}, it left.',
	body_examples: ['Asha'],
	buttons: [{ ...newButton('URL', 'a1'), text: 'Track', url: 'https://example.com/{{1}}', url_example: '42' }],
}

suite('the draft of a template', () => {
	test('comes back as it was written', () => {
		const storage = memory()
		draftStore(storage, { userId: '7', from: null }).write(TYPED)
		assert.deepEqual(draftStore(storage, { userId: '7', from: null }).read(), TYPED)
	})

	test('is not shown to another person or beside another original', () => {
		const storage = memory()
		draftStore(storage, { userId: '7', from: null }).write(TYPED)
		assert.equal(draftStore(storage, { userId: '8', from: null }).read(), null)
		assert.equal(draftStore(storage, { userId: '7', from: '12' }).read(), null)
	})

	test('is gone after null was written', () => {
		const storage = memory()
		const draft = draftStore(storage, { userId: '7', from: null })
		draft.write(TYPED)
		draft.write(null)
		assert.equal(draft.read(), null)
		assert.equal(storage.texts.size, 0)
	})

	for (const text of ['', '{', '{"name":"a"}', JSON.stringify({ ...TYPED, header_type: 'LOCATION' })])
		test(`is ignored when the storage holds ${text.slice(0, 12) || 'an empty text'}`, () => {
			const storage = memory()
			storage.setItem('template-draft:7:new', text)
			assert.equal(draftStore(storage, { userId: '7', from: null }).read(), null)
		})

	test('does not stop the form when the storage is full', () =>
		draftStore({ ...memory(), setItem: refuseToStore }, { userId: '7', from: null }).write(TYPED))
})

function refuseToStore() {
	throw new DOMException('no room', 'QuotaExceededError')
}
