import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignEstimate, CampaignProblem } from '#features/campaigns/preflight-contract.ts'
import { EMPTY_FIELDS } from './fields/campaign-fields.ts'
import { refusalOf, shortageOf, shownProblems } from './problems.ts'

const problem = (kind: CampaignProblem['kind'], isBlocking = true): CampaignProblem => ({
	kind,
	message: `about the ${kind}`,
	isBlocking,
})
const ALL = (['template', 'variables', 'audience', 'sender', 'wallet', 'schedule'] as const).map((kind) =>
	problem(kind),
)
const kindsOf = (problems: CampaignProblem[]) => problems.map(({ kind }) => kind)

test('shownProblems omits the problems of fields that are still empty', () => {
	const fields = { ...EMPTY_FIELDS, audienceType: 'group' as const, schedule: 'later' as const }
	assert.deepEqual(kindsOf(shownProblems(ALL, fields, false)), ['sender'])
})

test('shownProblems returns every problem of a filled form except that of the wallet, which shortageOf returns', () => {
	const fields = { ...EMPTY_FIELDS, templateId: '4' }
	assert.deepEqual(kindsOf(shownProblems(ALL, fields, true)), [
		'template',
		'variables',
		'audience',
		'sender',
		'schedule',
	])
})

const estimate: CampaignEstimate = {
	contacts: 10,
	optedOut: 0,
	capped: 0,
	frequency: null,
	quiet: null,
	recipients: 10,
	gaps: {},
	price: 1,
	abroadPrices: 'as-at-home',
	markets: [],
	unpriced: [],
	isHighestCost: false,
	cost: 10,
	files: null,
	walletBalance: 10,
	owed: 0,
	problems: [],
	messagesPerSecond: 80,
	durationSeconds: 1,
	startsAt: '2026-11-21T04:30:00.000Z',
	limit: null,
	plan: null,
	endsAt: '2026-11-21T04:30:01.000Z',
}

test('shortageOf gives both amounts when the wallet holds less than the cost, and null when it holds just enough', () => {
	assert.equal(shortageOf(estimate), null)
	assert.deepEqual(shortageOf({ ...estimate, walletBalance: 9.99 }), { needed: 10, available: 9.99 })
	assert.equal(shortageOf(undefined), null)
})

test('refusalOf names owed money first, then missing money, then a blocking problem, then an empty audience', () => {
	assert.match(refusalOf({ ...estimate, owed: 700, walletBalance: 0 }) ?? '', /^₹700\.00 of a refunded payment is owed/)
	const blocked = { ...estimate, problems: [problem('sender', false), problem('variables')] }
	assert.equal(refusalOf({ ...blocked, walletBalance: 0 }), 'Insufficient balance')
	assert.equal(refusalOf(blocked), 'about the variables')
	assert.equal(refusalOf({ ...estimate, recipients: 0, cost: 0 }), 'This campaign has no recipients')
	assert.equal(refusalOf({ ...estimate, problems: [problem('sender', false)] }), null)
})

test('refusalOf ignores a wallet problem when the balance now covers the cost', () => {
	assert.equal(refusalOf({ ...estimate, problems: [problem('wallet')] }), null)
})
