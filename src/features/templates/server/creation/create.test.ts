import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templates } from '#features/templates/contract.ts'
import { countedTarget } from '#features/templates/counted-link.ts'
import { findComponent, slotsOf } from '#features/templates/values.ts'
import { newRequestId } from '#lib/request-id.ts'
import { template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { fieldsOf, templateTests } from '#test/scenes/template-tests.ts'

const app = await launchTestApp({ simulator: true })
const given = templateTests(app)

test('create submits a template, stores Meta’s result and returns it as pending', async () => {
	const { person } = await given.connected()
	const { status, body } = await given.create(person)
	assert.deepEqual([status, body.message], [200, 'Template submitted for approval'])
	const { template: made } = body
	assert.deepEqual(
		[made.name, made.language, made.status, made.category, made.parameterFormat, made.isGone, made.needsHeaderFile],
		['order_update', 'en_US', 'PENDING', 'UTILITY', 'POSITIONAL', false, false],
	)
	const { body: one } = await app.call(templates.get, { params: { id: made._id } }, person)
	assert.deepEqual(one, made)
	const { body: same } = await app.call(templates.get, { params: { id: made.template_id } }, person)
	assert.deepEqual(same, made)
	// A sync changes nothing, so the stored row equals Meta's template.
	await app.simulator.control.setReviewDelay({ ms: 60_000 })
	await app.call(templates.sync, {}, person)
	const { templates: synced } = await given.list(person)
	assert.deepEqual({ ...synced[0], status: 'PENDING' }, made)
})

test('create returns the category that Meta chose instead', async () => {
	const { person } = await given.connected()
	const { body } = await given.create(person, { body_text: 'Our sale starts today in all shops.', body_examples: '[]' })
	assert.equal(body.template.category, 'MARKETING')
	assert.match(body.message ?? '', /made it MARKETING instead of UTILITY/)
})

test('create returns 400 with a message for each field, the first as its message, and does not call Meta', async () => {
	const { person } = await given.connected()
	const { status, body } = await given.create(person, { name: 'Order', body_examples: '["Asha"]', language: '' })
	assert.deepEqual(
		[status, body.message],
		[400, 'Template name can only contain lowercase letters, numbers, and underscores'],
	)
	assert.deepEqual(fieldsOf(body), {
		name: 'Template name can only contain lowercase letters, numbers, and underscores',
		'body_examples.1': 'All variables must have example values',
		language: 'Language is required',
	})
	assert.equal((await given.list(person)).total, 0)
})

test('create without credentials returns 400 and names the administrator', async () => {
	const { status, body } = await given.create(await app.signIn('user'))
	assert.deepEqual(
		[status, body.message],
		[400, 'WhatsApp credentials are not set up. Please contact your administrator.'],
	)
})

test('create of an authentication template stores the text that Meta presets', async () => {
	const { person } = await given.connected()
	const preset = { category: 'AUTHENTICATION', body_text: '', body_examples: '[]', code_expiration_minutes: '10' }
	const { status, body } = await given.create(person, preset)
	assert.equal(status, 200, body.message)
	assert.match(body.template.components[0]?.text ?? '', /^\*\{\{1\}\}\* is your verification code\./)
	assert.match(body.template.components[1]?.text ?? '', /expires in 10 minutes/)
})

test('create submits buttons of every kind in a form that Meta accepts', async () => {
	const { person } = await given.connected()
	const mixes = [
		[{ type: 'QUICK_REPLY', text: 'Stop' }],
		[
			{ type: 'URL', text: 'Track', url: 'https://x.example/{{1}}', url_example: 'a17' },
			{ type: 'URL', text: 'Shop', url: 'https://x.example' },
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '9876543210' },
		],
		[
			{ type: 'COPY_CODE', code_example: 'SAVE10' },
			{ type: 'QUICK_REPLY', text: 'Yes' },
			{ type: 'QUICK_REPLY', text: 'No' },
		],
	]
	for (const [index, buttons] of mixes.entries()) {
		const { status, body } = await given.create(person, { name: `buttons_${index}`, buttons: JSON.stringify(buttons) })
		assert.equal(status, 200, body.message)
		assert.equal(body.template.components.at(-1)?.buttons?.length, buttons.length)
	}
})

test('create applies a status webhook that arrives before the template’s row is written', async () => {
	const { person } = await given.connected()
	await app.simulator.control.setReviewDelay({ ms: 10 })
	await given.fault({ kind: 'delay', ms: 200, accepted: true, times: 1 })
	const { body } = await given.create(person)
	await app.simulator.control.setReviewDelay({ ms: 60_000 })
	assert.equal(body.template.status, 'APPROVED')
})

test('create stores a template as submitted when it cannot be read back', async () => {
	const { person } = await given.connected()
	await given.fault({ call: 'template', kind: 'drop', accepted: false, times: 1 })
	const { status, body } = await given.create(person)
	assert.deepEqual([status, body.template.status], [200, 'PENDING'])
	assert.deepEqual(body.template.components, [
		{
			type: 'BODY',
			text: 'Dear {{1}}, your order {{2}} is on its way.',
			example: { body_text: [['Asha', 'A-17']] },
		},
	])
})

test('create returns Meta’s refusal in Meta’s words at the field that it concerns', async () => {
	const { person, waba_id } = await given.connected()
	await given.create(person)
	const { status, body } = await given.create(person)
	assert.equal(status, 400)
	assert.match(body.message ?? '', /already English \(US\) content for this template/)
	assert.deepEqual(fieldsOf(body), { name: body.message })
	assert.equal((body as { title?: string }).title, 'Content in This Language Already Exists')
	await app.simulator.control.reviewTemplate({ waba_id, name: 'order_update', language: 'en_US', approved: true })
	await app.call(templates.remove, { params: { name: 'order_update' } }, person)
	const locked = (await given.create(person)).body
	assert.match(locked.message ?? '', /Try again in 4 weeks/)
	assert.deepEqual(fieldsOf(locked), { name: locked.message })
	const thin = await given.create(person, { name: 'thin', body_text: 'Hi {{1}} ok', body_examples: '["a"]' })
	assert.equal(thin.status, 200, 'a body of three words and one variable is accepted')
	const ratio = await given.create(person, {
		name: 'ratio',
		body_text: 'Hi {{1}}, {{2}} ok',
		body_examples: '["a","b"]',
	})
	assert.deepEqual([ratio.status, Object.keys(fieldsOf(ratio.body))], [400, ['body_text']])
	assert.match(ratio.body.message ?? '', /too many variables for its length/)
})

test('create returns 400 naming the administrator when Meta refuses the access token', async () => {
	const { person, access_token } = await given.connected()
	await app.simulator.control.rejectToken({ token: access_token })
	const { status, body } = await given.create(person)
	assert.equal(status, 400)
	assert.match(body.message ?? '', /credentials of your account/)
})

test('create returns 400 with advice when Meta limits or blocks the account, without blaming the credentials', async () => {
	const { person } = await given.connected()
	const refused: [code: number, words: RegExp][] = [
		[4, /try again in an hour/],
		[80007, /try again in an hour/],
		[368, /blocked your account/],
		[131031, /blocked your account/],
	]
	for (const [code, words] of refused) {
		await given.fault({ kind: 'error', code, times: 1 })
		const { status, body } = await given.create(person)
		assert.equal(status, 400)
		assert.match(body.message ?? '', words)
		assert.deepEqual(fieldsOf(body), {})
	}
})

test('concurrent requests with the same id create one template, and both return it', async () => {
	const { person } = await given.connected()
	const requestId = newRequestId()
	await given.fault({ kind: 'delay', ms: 300, times: 1 })
	const answers = await Promise.all([given.create(person, { requestId }), given.create(person, { requestId })])
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 200],
	)
	assert.equal(answers[0].body.template._id, answers[1].body.template._id)
	const later = await given.create(person, { requestId })
	assert.equal(later.body.template._id, answers[0].body.template._id)
	assert.equal((await given.list(person)).total, 1)
})

test('create returns 409 naming the created template when a used request id comes with another form', async () => {
	const { person } = await given.connected()
	const requestId = newRequestId()
	assert.equal((await given.create(person, { requestId })).status, 200)
	for (const change of [{ name: 'other' }, { language: 'hi' }, { body_text: 'Hello {{1}}, order {{2}} is here.' }]) {
		const { status, body } = await given.create(person, { requestId, ...change })
		assert.deepEqual(
			[status, body.message],
			[409, 'This form has already created the template "order_update". To create another one, open the form again.'],
		)
	}
	assert.equal((await given.list(person)).total, 1)
})

test('create accepts a refused request id again', async () => {
	const { person } = await given.connected()
	const requestId = newRequestId()
	assert.equal((await given.create(person, { requestId, body_text: 'Hi {{1}}, {{2}} ok' })).status, 400)
	assert.equal((await given.create(person, { requestId })).status, 200)
})

test('create looks a template up at Meta after a lost response, and returns it', async () => {
	for (const outage of [
		{ kind: 'drop', accepted: true },
		{ kind: 'server-error', accepted: true, status: 502 },
	]) {
		const { person } = await given.connected()
		await given.fault({ ...outage, times: 1 })
		const { status, body } = await given.create(person)
		assert.deepEqual([status, body.template?.name, body.template?.status], [200, 'order_update', 'PENDING'])
		assert.equal((await given.list(person)).total, 1)
	}
})

test('create returns 502 after a lost response when Meta does not list the template, and can be repeated', async () => {
	const { person } = await given.connected()
	await given.fault({ kind: 'drop', accepted: false, times: 1 })
	const { status, body } = await given.create(person)
	assert.deepEqual(
		[status, body.message],
		[502, 'WhatsApp did not answer, and the template was not created. Please try again.'],
	)
	assert.equal((await given.list(person)).total, 0)
	assert.equal((await given.create(person)).status, 200)
})

test('create finds the template that a crashed process created for the same request, and no other template', async () => {
	const { person, waba_id } = await given.connected()
	const components = [{ type: 'BODY', text: 'Dear {{1}}, your order {{2}} is on its way.' }]
	await app.simulator.control.addTemplate({ waba_id, name: 'order_update', category: 'UTILITY', components })
	const requestId = newRequestId()
	// Row that the crashed process left.
	await app.context.db`
		insert into template_creations (account_id, request_id, started_at)
		values (${person.accountId}, ${requestId}, now() - interval '1 hour')
	`
	assert.equal((await given.create(person, { requestId })).status, 200)
	await app.simulator.control.addTemplate({
		waba_id,
		name: 'taken',
		components: [{ type: 'BODY', text: 'Something else altogether' }],
	})
	assert.equal((await given.create(person, { name: 'taken' })).status, 400)
})

test('create puts a new template with the name of a deleted one first in the list', async () => {
	const { person } = await given.connected()
	const gone = await template(app.context.db, person.accountId, { name: 'order_update', language: 'en_US' })
	await template(app.context.db, person.accountId, { name: 'newer' })
	await app.context.db`update templates set gone_at = now() where account_id = ${person.accountId} and id = ${gone.id}`
	const { status, body } = await given.create(person)
	assert.equal(status, 200, body.message)
	const { templates: rows } = await given.list(person)
	assert.deepEqual(
		rows.map(({ name }) => name),
		['order_update', 'newer'],
	)
})

test('create submits our address for a counted link, and campaigns need no value for it', async () => {
	const { person } = await given.connected()
	const buttons = JSON.stringify([
		{ type: 'URL', text: 'Shop now', url: 'https://shop.example/sale', count_clicks: true },
		{ type: 'URL', text: 'Help', url: 'https://shop.example/help' },
	])
	const { status, body } = await given.create(person, { name: 'counted_link', buttons })
	assert.equal(status, 200, body.message)
	const made = findComponent(body.template.components, 'BUTTONS')?.buttons ?? []
	assert.equal(made[0]?.url, `${app.url}/l/{{1}}`)
	assert.deepEqual(made.map(countedTarget), ['https://shop.example/sale', null])
	assert.deepEqual(
		slotsOf(body.template.components).map(({ key }) => key),
		['var1', 'var2'],
	)
})
