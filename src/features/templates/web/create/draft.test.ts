import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readTemplateDraft, templateDraftName } from './draft.ts'
import { EMPTY_TEMPLATE, newButton, type TemplateFields } from './template-fields.ts'

const TYPED: TemplateFields = {
	...EMPTY_TEMPLATE,
	name: 'order_shipped',
	body_text: 'Hi {{1}}, it left.',
	body_examples: ['Asha'],
	buttons: [{ ...newButton('URL', 'a1'), text: 'Track', url: 'https://example.com/{{1}}', url_example: '42' }],
}

suite('the draft of a template', () => {
	test('comes back as it was written', () =>
		assert.deepEqual(readTemplateDraft(JSON.parse(JSON.stringify(TYPED))), TYPED))

	test('has a name of its own for each original', () =>
		assert.equal(new Set([templateDraftName(null), templateDraftName('12'), templateDraftName('13')]).size, 3))

	for (const kept of [null, 'text', { name: 'a' }, { ...TYPED, header_type: 'LOCATION' }])
		test(`is ignored when what was kept is ${JSON.stringify(kept).slice(0, 12)}`, () =>
			assert.equal(readTemplateDraft(kept), null))
})
