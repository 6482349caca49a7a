import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { bodyOf, fieldsFrom } from './campaign-body.ts'
import { EMPTY_FIELDS } from './fields/campaign-fields.ts'

const order = {
	price: 1.2,
	abroadPrices: 'as-at-home',
	requestId: 'request-1',
	written: new Map([
		['Due', { kind: 'number', format: 'rupees', typed: '5' }],
		['Paid', { kind: 'date', format: 'day', typed: null }],
	] as const),
	columns: { number: 1, firstName: 0, lastName: null, hasHeader: true },
}

test('bodyOf sends the chosen group, or the columns of a file with the formats in use, and neither with all contacts', () => {
	const fields = { ...EMPTY_FIELDS, name: ' Offer ', selectedGroup: '7' }
	const all = bodyOf(fields, order)
	assert.equal(all.name, 'Offer')
	assert.ok(!('selectedGroup' in all) && !('columns' in all) && !('holdOutPercent' in all))
	const part = bodyOf({ ...fields, holdOutPercent: 10 }, order)
	assert.ok('holdOutPercent' in part && part.holdOutPercent === '10')
	assert.ok(!('recipientOrder' in all) && !('dailyStart' in all))
	const paced = bodyOf({ ...fields, recipientOrder: 'engaged', dailyStart: '10:00' }, order)
	assert.ok('recipientOrder' in paced && 'dailyStart' in paced)
	assert.deepEqual([paced.recipientOrder, paced.dailyStart], ['engaged', '10:00'])
	const group = bodyOf({ ...fields, audienceType: 'group' }, order)
	assert.ok('selectedGroup' in group && group.selectedGroup === '7' && !('columns' in group))
	const file = bodyOf({ ...fields, audienceType: 'file', variables: { var1: '{{Due}} {{Name}}' } }, order)
	assert.ok(!('selectedGroup' in file) && 'columns' in file)
	assert.deepEqual(JSON.parse(file.columns ?? ''), order.columns)
	assert.deepEqual(JSON.parse(file.formats ?? ''), { Due: 'rupees' })
})

test('bodyOf sends a chosen moment in Indian time, and none for now', () => {
	const later = { ...EMPTY_FIELDS, schedule: 'later' as const, date: '2026-11-22', time: '10:30' }
	const body = bodyOf(later, order)
	assert.ok('scheduleDatetime' in body)
	assert.deepEqual([body.scheduleDatetime, body.timezone], ['2026-11-22T10:30:00', 'Asia/Kolkata'])
	assert.ok(!('scheduleDatetime' in bodyOf({ ...later, schedule: 'now' }, order)))
})

const campaign = {
	name: 'Diwali offer',
	description: null,
	templateId: '4',
	variables: { var1: '{{firstName}}' },
	audienceType: 'group',
	selectedGroup: '7',
	holdOutPercent: 10,
	recipientOrder: 'engaged',
	dailyStart: '10:00',
	opensAt: '2026-11-01T04:30:00.000Z',
} as Partial<CampaignDetail> as CampaignDetail

test('fieldsFrom copies all fields of a campaign except its time, and adds (copy) to the name', () => {
	assert.deepEqual(fieldsFrom(campaign), {
		...EMPTY_FIELDS,
		name: 'Diwali offer (copy)',
		templateId: '4',
		variables: { var1: '{{firstName}}' },
		audienceType: 'group',
		selectedGroup: '7',
		holdOutPercent: 10,
		recipientOrder: 'engaged',
		dailyStart: '10:00',
	})
})

test('fieldsFrom leaves a deleted template and group empty, and cuts a long name at whole characters', () => {
	const copy = fieldsFrom({ ...campaign, name: '🪔'.repeat(200), templateId: null, selectedGroup: null })
	assert.deepEqual([copy.templateId, copy.selectedGroup], ['', ''])
	assert.equal(copy.name, `${'🪔'.repeat(193)} (copy)`)
})
