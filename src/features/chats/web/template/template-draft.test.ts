import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#lib/durations.ts'
import { changed, readTemplateDraft } from './template-draft.ts'

const draft = changed({ templateId: '7', variables: { var1: 'Asha' } })
const opened = (after: number) => ({
	...changed({ templateId: '', variables: {} }),
	changedAt: draft.changedAt + after,
})

test('readTemplateDraft keeps the request id for an hour, so that a message that may have been sent is not sent twice', () => {
	assert.deepEqual(readTemplateDraft(draft, opened(HOUR_MS - 1)), draft)
})

test('readTemplateDraft gives a draft of more than an hour ago a new request id, because it is another message', () => {
	const later = readTemplateDraft(draft, opened(HOUR_MS))
	assert.deepEqual([later?.templateId, later?.variables], ['7', { var1: 'Asha' }])
	assert.notEqual(later?.requestId, draft.requestId)
})

test('readTemplateDraft returns null for data of another form', () => {
	for (const kept of [null, 'text', { templateId: 7 }, { ...draft, variables: { var1: 1 } }])
		assert.equal(readTemplateDraft(kept, opened(0)), null)
})
