import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { templateHints } from '#features/templates/hints.ts'
import { templateProblems } from '#features/templates/rules.ts'
import { draftOf } from '../template-fields.ts'
import { READY_TEXTS, readyFields } from './ready-fields.ts'

const LANGUAGES = ['en', 'hi'] as const

suite('the ready texts', () => {
	for (const text of READY_TEXTS)
		test(`${text.key} needs only the address of its website, in both languages`, () => {
			for (const language of LANGUAGES) {
				const draft = draftOf(readyFields(text, language, 2026))
				const missing = draft.buttons.flatMap(({ type }, index) => (type === 'URL' ? [`buttons.${index}.url`] : []))
				const fields = templateProblems(draft).map(({ field }) => field)
				assert.deepEqual([fields, templateHints(draft)], [missing, []], language)
				assert.equal(text.versions[language].examples.length, text.versions.en.examples.length)
			}
		})

	test('have different names and titles', () => {
		const all = [
			READY_TEXTS.map(({ key }) => key),
			...LANGUAGES.map((language) => READY_TEXTS.map(({ versions }) => versions[language].title)),
		]
		for (const names of all) assert.equal(new Set(names).size, READY_TEXTS.length)
	})
})
