import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, isProblem, problemsOf, reviveProblem, type Refused } from './app-error.ts'

const problem = problemsOf({
	closed: { status: 409, text: 'The shop is closed' },
	name_taken: { status: 409, text: 'This name is taken', field: 'name' },
	balance_short: {
		status: 402,
		text: ({ needed, available }: { needed: number; available: number; account: string }) =>
			`Needs ${needed}, has ${available}`,
		shows: ['needed', 'available'],
	},
	value_wrong: {
		status: 400,
		text: ({ reason }: { reason: string; at?: string }) => reason,
		field: ({ at }) => at,
	},
})

test('problem returns an error with the status, code and sentence of its kind', () => {
	const error = problem('closed')
	assert.ok(error instanceof AppError)
	assert.deepEqual([error.status, error.code, error.message], [409, 'closed', 'The shop is closed'])
	assert.deepEqual(error.details, {})
})

test('problem fills facts into the sentence, and shows in the answer only the facts that its kind names', () => {
	const error = problem('balance_short', { needed: 5, available: 3, account: 'secret' })
	assert.equal(error.message, 'Needs 5, has 3')
	assert.deepEqual(error.details, { needed: 5, available: 3 })
	assert.equal(error.facts['account'], 'secret')
})

test('problem repeats the sentence under the form field of its kind, and under none where the field is unknown', () => {
	assert.deepEqual(problem('name_taken').details, { fields: { name: 'This name is taken' } })
	assert.deepEqual(problem('value_wrong', { reason: 'No', at: 'fields.age' }).details, {
		fields: { 'fields.age': 'No' },
	})
	assert.deepEqual(problem('value_wrong', { reason: 'No' }).details, {})
})

test('reviveProblem returns an equal error from the JSON of another process', () => {
	const sent = problem('balance_short', { needed: 5, available: 3, account: 'one' })
	const revived = reviveProblem(JSON.parse(JSON.stringify(sent)) as Refused)
	assert.ok(isProblem(revived, 'balance_short'))
	assert.deepEqual([revived.status, revived.message, revived.facts], [402, sent.message, sent.facts])
})

test('isProblem returns false for another code and for an error that is a bug', () => {
	assert.ok(!isProblem(problem('closed'), 'name_taken'))
	assert.ok(!isProblem(new Error('closed'), 'closed'))
})
