import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateTitle } from '#features/templates/template-words.ts'
import { template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import type { MetaTemplate } from '../meta-template.ts'
import { getTemplate } from '../service.ts'
import { applyTemplateChange, type TemplateMove } from './changes.ts'

const app = await launchTestApp()
const accountId = (await app.signIn('user')).accountId

/** Applies a change to a new template. Returns the notifications and the changed template. */
async function change(
	value: Record<string, unknown>,
	given: Partial<MetaTemplate> = {},
	field = 'message_template_status_update',
) {
	const moves: TemplateMove[] = []
	const { db } = app.context
	const { name, language, templateId } = await template(db, accountId, { language: 'en_US', ...given })
	const about = { message_template_name: name, message_template_language: language, message_template_id: 1e18 }
	const apply = () =>
		applyTemplateChange(db, accountId, {
			field,
			value: { ...about, ...value },
			onTemplateMoved: async (_sql, _owner, move) => void moves.push(move),
		})
	const notes = await apply()
	return {
		notified: notes.map(({ text }) => text.replace(`"${templateTitle(name)}"`, 'it')).join('; '),
		again: await apply(),
		after: await getTemplate(db, accountId, templateId),
		moves: moves.map(({ from, to }) => `${from} to ${to}`),
	}
}

test('applyTemplateChange updates the status, and notifies once when repeated', async () => {
	const { notified, again, after: now } = await change({ event: 'APPROVED', reason: 'NONE' }, { status: 'PENDING' })
	assert.equal(notified, 'Template it was approved')
	assert.deepEqual(again, [])
	assert.equal(now.status, 'APPROVED')
})

test('applyTemplateChange stores a rejection and notifies with Meta’s advice, or the meaning of its code', async () => {
	const advised = await change({
		event: 'REJECTED',
		reason: 'PROMOTIONAL',
		rejection_info: { recommendation: 'Say less' },
	})
	assert.equal(advised.notified, 'Template it was rejected: Say less')
	assert.deepEqual([advised.after.status, advised.after.rejectedReason], ['REJECTED', 'Say less'])
	const bare = await change({ event: 'REJECTED', reason: 'PROMOTIONAL' })
	assert.equal(
		bare.notified,
		'Template it was rejected: The content is promotional. Choose MARKETING or leave the promotion out.',
	)
})

test('applyTemplateChange notifies of a paused or disabled template, and REINSTATED sets it to APPROVED', async () => {
	assert.match((await change({ event: 'PAUSED' })).notified, /was paused by WhatsApp/)
	assert.match((await change({ event: 'DISABLED' })).notified, /was disabled by WhatsApp/)
	const back = await change({ event: 'REINSTATED' }, { status: 'DISABLED' })
	assert.equal(back.after.status, 'APPROVED')
})

test('applyTemplateChange keeps the status for FLAGGED', async () => {
	const { notified, after: now } = await change({ event: 'FLAGGED' })
	assert.deepEqual([notified, now.status], ['', 'APPROVED'])
})

test('applyTemplateChange stores a quality change from either field, and notifies when the quality is low', async () => {
	const low = await change({ previous_quality_score: 'GREEN', new_quality_score: 'RED' })
	assert.deepEqual([low.after.quality, low.after.status], ['LOW', 'APPROVED'])
	assert.match(low.notified, /has low quality now/)
	const high = await change({ new_quality_score: 'GREEN' })
	assert.deepEqual([high.notified, high.after.quality], ['', 'HIGH'])
	const unknown = await change({ new_quality_score: 'UNKNOWN' }, { quality: 'HIGH' })
	assert.equal(unknown.after.quality, null)
})

test('applyTemplateChange stores and notifies a new category once, and reprices campaigns once', async () => {
	const moved = await change({ previous_category: 'UTILITY', new_category: 'MARKETING' }, { category: 'UTILITY' })
	assert.deepEqual([moved.after.category, moved.after.previousCategory], ['MARKETING', 'UTILITY'])
	assert.match(moved.notified, /is now MARKETING, not UTILITY/)
	assert.deepEqual([moved.again, moved.moves], [[], ['UTILITY to MARKETING']])
})

test('applyTemplateChange stores categories in upper case, and a category in other letters is no change', async () => {
	const moved = await change({ previous_category: 'utility', new_category: 'marketing' }, { category: 'UTILITY' })
	assert.equal(moved.after.category, 'MARKETING')
	const same = await change({ new_category: 'Utility' }, { category: 'UTILITY' })
	assert.deepEqual([same.after.category, same.moves], ['UTILITY', []])
})

test('applyTemplateChange of an approval in another category stores and notifies both, and a repeated one reverts nothing', async () => {
	const approval = { event: 'APPROVED', message_template_category: 'MARKETING' }
	const approved = await change(approval, { category: 'UTILITY', status: 'PENDING' })
	assert.deepEqual([approved.after.status, approved.after.category], ['APPROVED', 'MARKETING'])
	assert.match(approved.notified, /is now MARKETING, not UTILITY.*was approved/)
	assert.deepEqual([approved.again, approved.moves], [[], ['UTILITY to MARKETING']])
	const late = await change(approval, { category: 'UTILITY', status: 'APPROVED' })
	assert.deepEqual([late.after.category, late.moves], ['UTILITY', []])
})

test('applyTemplateChange stores an announced category beside the current one, notifies once, and reprices no campaign', async () => {
	const soon = await change({ correct_category: 'MARKETING', new_category: 'UTILITY' }, { category: 'UTILITY' })
	assert.deepEqual([soon.after.category, soon.after.correctCategory], ['UTILITY', 'MARKETING'])
	assert.match(soon.notified, /will soon move template it to MARKETING/)
	assert.deepEqual([soon.again, soon.moves], [[], []])
})

test('applyTemplateChange warns of a detected category once, and clears it when the template is edited or moved', async () => {
	const detection = { category: 'UTILITY', correct_category: 'MARKETING' }
	const warned = await change(detection, { category: 'UTILITY' })
	assert.deepEqual([warned.after.category, warned.after.correctCategory], ['UTILITY', 'MARKETING'])
	assert.match(warned.notified, /WhatsApp may move template it to MARKETING/)
	assert.deepEqual([warned.again, warned.moves], [[], []])
	const known = { category: 'UTILITY', correctCategory: 'MARKETING' }
	const edited = await change(
		{ message_template_element: 'Another text.' },
		known,
		'message_template_components_update',
	)
	assert.equal(edited.after.correctCategory, null)
	const moved = await change({ new_category: 'MARKETING', previous_category: 'UTILITY' }, known)
	assert.deepEqual([moved.after.category, moved.after.correctCategory], ['MARKETING', null])
	const right = await change({ category: 'UTILITY', correct_category: 'UTILITY' }, known)
	assert.equal(right.after.correctCategory, null)
})

test('applyTemplateChange marks a template as gone for DELETED', async () => {
	const { after: now } = await change({ event: 'DELETED' })
	assert.ok(now.goneAt)
})

test('applyTemplateChange replaces texts and buttons, and keeps examples and the header’s file', async () => {
	const components = [
		{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } },
		{ type: 'BODY', text: 'Hi {{1}}, welcome!', example: { body_text: [['Asha']] } },
		{
			type: 'BUTTONS',
			buttons: [{ type: 'URL', text: 'Open', url: 'https://a.example/{{1}}', example: ['https://a.example/1'] }],
		},
	]
	const value = {
		message_template_element: 'Dear {{1}}, welcome back!',
		message_template_title: 'ignored: the header is a picture',
		message_template_footer: 'Meera Textiles',
		message_template_buttons: [
			{
				message_template_button_type: 'URL',
				message_template_button_text: 'See',
				message_template_button_url: 'https://b.example/{{1}}',
			},
			'no button',
		],
	}
	const { notified, after: now } = await change(value, { components }, 'message_template_components_update')
	assert.equal(notified, '')
	assert.deepEqual(now.components, [
		components[0],
		{ type: 'BODY', text: 'Dear {{1}}, welcome back!', example: { body_text: [['Asha']] } },
		{
			type: 'BUTTONS',
			buttons: [{ type: 'URL', text: 'See', url: 'https://b.example/{{1}}', example: ['https://a.example/1'] }],
		},
		{ type: 'FOOTER', text: 'Meera Textiles' },
	])
})

test('applyTemplateChange ignores an unknown event', async () => {
	for (const event of ['QUALITY_REVIEWED', 'constructor', 'FLAGGED', 'LOCKED', '']) {
		const { notified, after: now } = await change({ event }, { status: 'APPROVED' })
		assert.deepEqual([notified, now.status], ['', 'APPROVED'], event)
	}
})

test('applyTemplateChange ignores a webhook about an unknown template', async () => {
	const { db } = app.context
	for (const value of [
		{},
		{ event: 'APPROVED' },
		{ message_template_name: 'nobody_knows', message_template_language: 'en', event: 'REJECTED' },
		{ message_template_name: 7, message_template_language: [], event: {} },
	]) {
		assert.deepEqual(
			await applyTemplateChange(db, accountId, {
				field: 'message_template_status_update',
				value,
				onTemplateMoved: async () => assert.fail(),
			}),
			[],
		)
	}
})

test('applyTemplateChange applies a change for en-US to the template in en_US', async () => {
	const { notified } = await change({ event: 'PAUSED', message_template_language: 'en-US' })
	assert.match(notified, /was paused/)
})
