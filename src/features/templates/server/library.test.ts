import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateLibrary } from '#features/templates/library-contract.ts'
import { newRequestId } from '#lib/request-id.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { fieldsOf, templateTests } from '#test/scenes/template-tests.ts'

const app = await launchTestApp({ simulator: true })
const given = templateTests(app)
const { person } = await given.connected()

type Query = Parameters<typeof search>[0]
function search(
	query: { search?: string; topic?: string; language?: string; after?: string; limit?: number },
	who: TestAccount = person,
) {
	return app.call(templateLibrary.search, { query: query as never }, who)
}
const names = async (query: Query) => (await search(query)).body.templates.map(({ name }) => name)

const ON_THE_WAY = {
	name: 'parcel_sent',
	category: 'UTILITY',
	language: 'en_US',
	body_text: 'Order {{1}} is on its way. Expect it on {{2}}.',
	body_examples: '["A-1042","4 December 2026"]',
	library_template_name: 'order_on_the_way_1',
	buttons: JSON.stringify([
		{ type: 'URL', text: 'Track package', url: 'https://silk.example/track/{{1}}', url_example: 'A-1042' },
		{ type: 'PHONE_NUMBER', text: 'Call us', phone_number: '98765 43210' },
	]),
}

test('library returns texts by words, topic and language, with the types of their variables', async () => {
	const { body } = await search({ search: 'parcel', language: 'en' })
	assert.deepEqual(
		body.templates.map(({ name }) => name),
		['delivery_missed_1'],
	)
	const [payment] = (await search({ topic: 'PAYMENTS', language: 'hi', limit: 1 })).body.templates
	assert.deepEqual(
		[payment?.name, payment?.language, payment?.bodyTypes, payment?.bodyExamples[0]],
		['payment_received_1', 'hi', ['AMOUNT', 'DATE', 'TEXT'], '₹1,200'],
	)
	assert.deepEqual(await names({ search: 'no such words' }), [])
})

test('library returns each text once over pages', async () => {
	const seen: string[] = []
	let after: string | null = ''
	for (let page = 0; after !== null && page < 10; page++) {
		const { body } = await search({ limit: 8, ...(after && { after }) })
		seen.push(...body.templates.map(({ name, language }) => `${name} ${language}`))
		after = body.next
	}
	assert.equal(after, null)
	assert.equal(seen.length, 21)
	assert.equal(new Set(seen).size, 21)
})

test('library without credentials returns 400 and names the administrator, and a refusal by Meta its reason', async () => {
	const { status, body } = await search({}, await app.signIn('user'))
	assert.deepEqual(
		[status, body.message],
		[400, 'WhatsApp credentials are not set up. Please contact your administrator.'],
	)
	await given.fault({ call: 'message_template_library', kind: 'error', code: 190, times: 1 })
	const refused = await search({})
	assert.deepEqual(
		[refused.status, refused.body.message],
		[400, 'WhatsApp does not accept the credentials of your account. Please ask your administrator to check them.'],
	)
	await given.fault({ call: 'message_template_library', kind: 'server-error', accepted: false, times: 1 })
	assert.equal((await search({})).status, 502)
})

test('create from the library submits the inputs of its buttons, and returns an approved template with Meta’s text', async () => {
	const form = { ...ON_THE_WAY, library_additions: '["add_contact_number"]', requestId: newRequestId() }
	const { status, body } = await given.create(person, form)
	assert.deepEqual([status, body.message], [200, 'Template created. WhatsApp has approved it.'])
	const { template } = body
	assert.deepEqual([template.status, template.category, template.name], ['APPROVED', 'UTILITY', 'parcel_sent'])
	const [text, buttons] = template.components
	assert.equal(text?.text, 'Order {{1}} is on its way. Expect it on {{2}}. For help, call the number below.')
	assert.deepEqual(buttons?.buttons, [
		{
			type: 'URL',
			text: 'Track package',
			url: 'https://silk.example/track/{{1}}',
			example: ['https://silk.example/track/A-1042'],
		},
		{ type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+919876543210' },
	])
	// A repeated request returns the template although WhatsApp has added a sentence to its text.
	assert.deepEqual((await given.create(person, form)).body, body)
})

test('create from the library counts the clicks of a button, and its template is listed as Meta has it', async () => {
	const buttons = [{ type: 'URL', text: 'View order', url: 'https://silk.example/orders', count_clicks: true }]
	const { status, body } = await given.create(person, {
		...ON_THE_WAY,
		name: 'order_taken',
		library_template_name: 'order_confirmation_1',
		header_type: 'TEXT',
		header_text: 'Order received',
		body_text: 'Hi {{1}}, we got your order {{2}} for {{3}}. We are packing it now.',
		body_examples: '["Asha","A-1042","₹2,450"]',
		buttons: JSON.stringify(buttons),
	})
	assert.equal(status, 200, body.message)
	const button = body.template.components.at(-1)?.buttons?.[0]
	assert.equal(button?.['counted_target'], 'https://silk.example/orders')
})

test('create from the library returns 400 at the field without an address, and Meta’s refusal of an unknown text', async () => {
	const empty = [
		{ type: 'URL', text: 'Track package' },
		{ type: 'PHONE_NUMBER', text: 'Call us' },
	]
	const missing = await given.create(person, { ...ON_THE_WAY, name: 'one', buttons: JSON.stringify(empty) })
	assert.deepEqual(Object.keys(fieldsOf(missing.body)).toSorted(), ['buttons.0.url', 'buttons.1.phone_number'])
	const marketing = await given.create(person, { ...ON_THE_WAY, name: 'one', category: 'MARKETING' })
	assert.deepEqual(fieldsOf(marketing.body), { category: 'A text of WhatsApp’s library is always a UTILITY template' })
	const unknown = await given.create(person, { ...ON_THE_WAY, name: 'one', library_template_name: 'no_such_text' })
	assert.equal(unknown.status, 400)
	assert.match(unknown.body.message, /There is no library template no_such_text in the language en_US/)
	assert.equal((await given.list(person, { search: 'one' })).total, 0)
})
