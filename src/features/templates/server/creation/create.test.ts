import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { templates, type CreateTemplateBody } from '#features/templates/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'
import { newRequestId } from '#lib/request-id.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { campaignRow, template, type TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'

let app: TestApp
let admin: TestAccount
before(async () => {
	app = await startTestApp({ simulator: true })
	admin = await app.signIn('admin')
})
after(() => app.close())

/** A user with a sender at the simulator, by default with an App ID. */
async function connected({ hasApp = true } = {}) {
	const person = await app.signIn('user')
	const { app_id, ...given } = await app.simulator.control.createAccount()
	const body = { ...given, app_id: hasApp ? app_id : '' }
	await app.call(whatsapp.saveCredentials, { params: { userId: person.userId }, body }, admin)
	return { person, ...given }
}

type Form = Partial<Record<keyof CreateTemplateBody, string>>

const FORM: Form = {
	name: 'order_update',
	category: 'UTILITY',
	language: 'en_US',
	body_text: 'Dear {{1}}, your order {{2}} is on its way.',
	body_examples: '["Asha","A-17"]',
}

function create(person: TestAccount, change: Form = {}, file?: File) {
	const body = { ...FORM, ...change } as never
	return app.call(templates.create, { body, ...(file && { files: { header_file: file } }) }, person)
}
const list = async (person: TestAccount) => (await app.call(templates.list, { query: {} as never }, person)).body
const fault = (given: object) => app.simulator.control.addFault({ call: 'message_templates', ...given } as Fault)
const fieldsOf = (body: unknown) => (body as { fields?: Record<string, string> }).fields ?? {}

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])
const MP4 = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
const THREE_GP = Buffer.from('\0\0\0\x18ftyp3gp5\0\0\0\0', 'latin1')
const PDF = Buffer.from('%PDF-1.4 a price list', 'latin1')
const fileOf = (content: Buffer, name: string, type: string) => new File([new Uint8Array(content)], name, { type })
const picture = () => fileOf(PNG, 'offer.png', 'image/png')

test('create submits a template, stores what Meta made of it and returns it as pending', async () => {
	const { person } = await connected()
	const { status, body } = await create(person)
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
	// What Meta has of it is what was stored: a sync changes nothing.
	await app.simulator.control.setReviewDelay({ ms: 60_000 })
	await app.call(templates.sync, {}, person)
	const { templates: synced } = await list(person)
	assert.deepEqual({ ...synced[0], status: 'PENDING' }, made)
})

test('create names the category that Meta chose instead', async () => {
	const { person } = await connected()
	const { body } = await create(person, { body_text: 'Our sale starts today in all shops.', body_examples: '[]' })
	assert.equal(body.template.category, 'MARKETING')
	assert.match(body.message ?? '', /made it MARKETING instead of UTILITY/)
})

test('create returns 400 with a message for each field and the first of them as its message, and asks Meta nothing', async () => {
	const { person } = await connected()
	const { status, body } = await create(person, { name: 'Order', body_examples: '["Asha"]', language: '' })
	assert.deepEqual(
		[status, body.message],
		[400, 'Template name can only contain lowercase letters, numbers, and underscores'],
	)
	assert.deepEqual(fieldsOf(body), {
		name: 'Template name can only contain lowercase letters, numbers, and underscores',
		'body_examples.1': 'All variables must have example values',
		language: 'Language is required',
	})
	assert.equal((await list(person)).total, 0)
})

test('create without credentials names the administrator', async () => {
	const { status, body } = await create(await app.signIn('user'))
	assert.deepEqual(
		[status, body.message],
		[400, 'WhatsApp credentials are not set up. Please contact your administrator.'],
	)
})

test('a header’s file is uploaded to Meta, kept for sending and shown by mediaUrl', async () => {
	const { person } = await connected()
	for (const [header_type, file, type] of [
		['IMAGE', picture(), 'image/png'],
		['VIDEO', fileOf(MP4, 'clip.mp4', 'video/mp4'), 'video/mp4'],
		['DOCUMENT', fileOf(PDF, 'Price list – été.pdf', 'application/pdf'), 'application/pdf'],
	] as const) {
		const { status, body } = await create(person, { name: `with_${header_type.toLowerCase()}`, header_type }, file)
		assert.equal(status, 200, body.message)
		const { _id, mediaUrl, needsHeaderFile } = body.template
		assert.deepEqual([mediaUrl, needsHeaderFile], [`/api/templates/${_id}/header`, false])
		const shown = await app.call(templates.headerFile, { params: { id: _id } }, person)
		assert.equal(shown.headers.get('content-type'), type)
		assert.deepEqual(Buffer.from(await shown.body.arrayBuffer()), Buffer.from(await file.arrayBuffer()))
	}
	const [row] = await app.context.db<{ file: string }[]>`
		select header_file as file from templates where account_id = ${person.ownerId} and name = 'with_document'
	`
	assert.match(row?.file ?? '', new RegExp(`^${person.ownerId}/headers/[\\w-]+/Price-list-ete\\.pdf$`))
})

test('a header’s file is what its content says, not its name', async () => {
	const { person } = await connected()
	const refused = async (header_type: string, file: File) => {
		const { status, body } = await create(person, { header_type }, file)
		assert.equal(status, 400)
		return fieldsOf(body)['header_file']
	}
	assert.equal(
		await refused('IMAGE', fileOf(Buffer.from('<svg onload="x"/>'), 'a.png', 'image/png')),
		'This file is not a JPEG or PNG image',
	)
	assert.equal(await refused('IMAGE', fileOf(PDF, 'a.png', 'image/png')), 'This file is not a JPEG or PNG image')
	assert.equal(await refused('DOCUMENT', fileOf(PNG, 'a.pdf', 'application/pdf')), 'This file is not a PDF document')
	assert.match((await refused('VIDEO', fileOf(THREE_GP, 'a.mp4', 'video/mp4'))) ?? '', /convert this 3GP video to MP4/)
	const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])
	assert.equal(await refused('IMAGE', fileOf(large, 'a.png', 'image/png')), 'File size exceeds 5MB limit')
	assert.equal((await list(person)).total, 0)
})

test('a header’s file without an App ID is refused before anything is uploaded', async () => {
	const { person } = await connected({ hasApp: false })
	await fault({ call: 'uploads', kind: 'error', code: 1, times: 1 })
	const { status, body } = await create(person, { header_type: 'IMAGE' }, picture())
	await app.simulator.control.clearFaults()
	assert.equal(status, 400)
	assert.match(fieldsOf(body)['header_file'] ?? '', /needs the App ID/)
	assert.equal((await create(person, { name: 'no_file' })).status, 200)
})

test('an upload that breaks off is resumed where it stands', async () => {
	const { person } = await connected()
	await fault({ call: 'upload', kind: 'drop', accepted: false, times: 1 })
	const { status, body } = await create(person, { header_type: 'IMAGE' }, picture())
	assert.equal(status, 200, body.message)
})

test('an upload that Meta refuses is told at the file', async () => {
	const { person } = await connected()
	await fault({ call: 'uploads', kind: 'error', code: 100, subcode: 33, times: 1 })
	const { status, body } = await create(person, { header_type: 'IMAGE' }, picture())
	assert.equal(status, 400)
	assert.match(fieldsOf(body)['header_file'] ?? '', /App ID/)
})

test('a duplicate takes over the header’s file of its original, if that is of the same kind', async () => {
	const { person } = await connected()
	const { body: original } = await create(person, { header_type: 'IMAGE' }, picture())
	const header_from = original.template._id
	const { status, body } = await create(person, { name: 'again', header_type: 'IMAGE', header_from })
	assert.equal(status, 200, body.message)
	assert.ok(body.template.mediaUrl)
	const other = await create(person, { name: 'other', header_type: 'VIDEO', header_from })
	assert.equal(fieldsOf(other.body)['header_file'], 'This file is not an MP4 video')
	const stranger = await connected()
	const stolen = await create(stranger.person, { header_type: 'IMAGE', header_from })
	assert.equal(stolen.body.message, 'Please upload a image for the header')
})

test('an authentication template is stored with the text that Meta presets', async () => {
	const { person } = await connected()
	const preset = { category: 'AUTHENTICATION', body_text: '', body_examples: '[]', code_expiration_minutes: '10' }
	const { status, body } = await create(person, preset)
	assert.equal(status, 200, body.message)
	assert.match(body.template.components[0]?.text ?? '', /^\*\{\{1\}\}\* is your verification code\./)
	assert.match(body.template.components[1]?.text ?? '', /expires in 10 minutes/)
})

test('buttons of every kind are accepted by Meta as they are sent', async () => {
	const { person } = await connected()
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
		const { status, body } = await create(person, { name: `buttons_${index}`, buttons: JSON.stringify(buttons) })
		assert.equal(status, 200, body.message)
		assert.equal(body.template.components.at(-1)?.buttons?.length, buttons.length)
	}
})

test('Meta’s refusal is returned in its own words at the field it is about', async () => {
	const { person } = await connected()
	await create(person)
	const { status, body } = await create(person)
	assert.equal(status, 400)
	assert.match(body.message ?? '', /already content in this language/)
	assert.deepEqual(fieldsOf(body), { name: body.message })
	assert.equal((body as { title?: string }).title, 'Content in this language already exists')
	const thin = await create(person, { name: 'thin', body_text: 'Hi {{1}} ok', body_examples: '["a"]' })
	assert.equal(thin.status, 200, 'three words for one variable')
	const ratio = await create(person, { name: 'ratio', body_text: 'Hi {{1}}, {{2}} ok', body_examples: '["a","b"]' })
	assert.deepEqual([ratio.status, Object.keys(fieldsOf(ratio.body))], [400, ['body_text']])
	assert.match(ratio.body.message ?? '', /too many variables for its length/)
})

test('a refused token is told as a matter of the administrator', async () => {
	const { person, access_token } = await connected()
	await app.simulator.control.rejectToken({ token: access_token })
	const { status, body } = await create(person)
	assert.equal(status, 400)
	assert.match(body.message ?? '', /credentials of your account/)
})

test('two requests with the same id at once create one template, and both return it', async () => {
	const { person } = await connected()
	const requestId = newRequestId()
	await fault({ kind: 'delay', ms: 300, times: 1 })
	const answers = await Promise.all([create(person, { requestId }), create(person, { requestId })])
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 200],
	)
	assert.equal(answers[0].body.template._id, answers[1].body.template._id)
	const later = await create(person, { requestId })
	assert.equal(later.body.template._id, answers[0].body.template._id)
	assert.equal((await list(person)).total, 1)
})

test('a request that was refused may be sent again with its id', async () => {
	const { person } = await connected()
	const requestId = newRequestId()
	assert.equal((await create(person, { requestId, body_text: 'Hi {{1}}, {{2}} ok' })).status, 400)
	assert.equal((await create(person, { requestId })).status, 200)
})

test('a creation without an answer is looked up at Meta: what was created is returned', async () => {
	for (const given of [
		{ kind: 'drop', accepted: true },
		{ kind: 'server-error', accepted: true, status: 502 },
	]) {
		const { person } = await connected()
		await fault({ ...given, times: 1 })
		const { status, body } = await create(person)
		assert.deepEqual([status, body.template?.name, body.template?.status], [200, 'order_update', 'PENDING'])
		assert.equal((await list(person)).total, 1)
	}
})

test('a creation without an answer that Meta does not list has failed, and can be repeated', async () => {
	const { person } = await connected()
	await fault({ kind: 'drop', accepted: false, times: 1 })
	const { status, body } = await create(person)
	assert.deepEqual(
		[status, body.message],
		[502, 'WhatsApp did not answer, and the template was not created. Please try again.'],
	)
	assert.equal((await list(person)).total, 0)
	assert.equal((await create(person)).status, 200)
})

test('what an earlier process created before it ended is found by the repeated request, and another’s template is not', async () => {
	const { person, waba_id } = await connected()
	const components = [{ type: 'BODY', text: FORM.body_text ?? '' }]
	await app.simulator.control.addTemplate({ waba_id, name: 'order_update', category: 'UTILITY', components })
	const requestId = newRequestId()
	// Left by the process that ended.
	await app.context.db`
		insert into template_creations (account_id, request_id, started_at)
		values (${person.ownerId}, ${requestId}, now() - interval '1 hour')
	`
	assert.equal((await create(person, { requestId })).status, 200)
	await app.simulator.control.addTemplate({
		waba_id,
		name: 'taken',
		components: [{ type: 'BODY', text: 'Something else altogether' }],
	})
	assert.equal((await create(person, { name: 'taken' })).status, 400)
})

test('a new template of the name of one that is gone stands first in the list', async () => {
	const { person } = await connected()
	const gone = await template(app.context.db, person.ownerId, { name: 'order_update', language: 'en_US' })
	await template(app.context.db, person.ownerId, { name: 'newer' })
	await app.context.db`update templates set gone_at = now() where account_id = ${person.ownerId} and id = ${gone.id}`
	const { status, body } = await create(person)
	assert.equal(status, 200, body.message)
	const { templates: rows } = await list(person)
	assert.deepEqual(
		rows.map(({ name }) => name),
		['order_update', 'newer'],
	)
})

test('delete removes all languages at Meta and here', async () => {
	const { person } = await connected()
	await create(person)
	await create(person, { language: 'hi' })
	await create(person, { name: 'other' })
	const remove = (name: string) => app.call(templates.remove, { params: { name } }, person)
	const { status, body } = await remove('order_update')
	assert.deepEqual([status, body.message], [200, 'Template deleted successfully'])
	await app.call(templates.sync, {}, person)
	assert.deepEqual(
		(await list(person)).templates.map(({ name }) => name),
		['other'],
	)
	assert.equal((await remove('order_update')).status, 404)
})

test('delete removes here what Meta does not have any more', async () => {
	const { person } = await connected()
	await template(app.context.db, person.ownerId, { name: 'long_gone' })
	assert.equal((await app.call(templates.remove, { params: { name: 'long_gone' } }, person)).status, 200)
	assert.equal((await list(person)).total, 0)
})

test('delete returns 409 for a template that a campaign still has to send, and Meta’s words where it refuses', async () => {
	const { person, waba_id } = await connected()
	const { db } = app.context
	await template(db, person.ownerId, { name: 'offer' })
	await campaignRow(db, person.ownerId, { name: 'Diwali', status: 'pending' })
	const used = await app.call(templates.remove, { params: { name: 'offer' } }, person)
	assert.equal(used.status, 409)
	assert.match(used.body.message, /The campaign "Diwali" still has to send this template/)
	await create(person)
	await app.simulator.control.disableTemplate({ waba_id, name: 'order_update', language: 'en_US' })
	const disabled = await app.call(templates.remove, { params: { name: 'order_update' } }, person)
	assert.deepEqual([disabled.status, disabled.body.message], [400, 'A disabled template cannot be deleted.'])
	assert.equal((await list(person)).total, 2)
})

test('a name of 512 characters can be created and deleted', async () => {
	const { person } = await connected()
	const name = 'n'.repeat(512)
	assert.equal((await create(person, { name })).status, 200)
	assert.equal((await app.call(templates.remove, { params: { name } }, person)).status, 200)
})

test('a missing header’s file is uploaded by the owner, if it is what the header says', async () => {
	const { person } = await connected()
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: 'Look at this' },
	]
	const { id } = await template(app.context.db, person.ownerId, { components })
	const upload = (file?: File) =>
		app.call(
			templates.uploadHeaderFile,
			{ params: { id: String(id) }, body: { _: '' } as never, ...(file && { files: { header_file: file } }) },
			person,
		)
	assert.equal((await list(person)).templates[0]?.needsHeaderFile, true)
	assert.equal((await upload()).body.message, 'Please upload a image for the header')
	assert.equal((await upload(fileOf(PDF, 'a.png', 'image/png'))).body.message, 'This file is not a JPEG or PNG image')
	const { status, body } = await upload(picture())
	assert.deepEqual([status, body.template.needsHeaderFile], [200, false])
	assert.ok((await list(person)).templates[0]?.mediaUrl)
	const text = await template(app.context.db, person.ownerId)
	const params = { id: String(text.id) }
	const refused = await app.call(templates.uploadHeaderFile, { params, files: { header_file: picture() } }, person)
	assert.equal(refused.status, 400)
})

test('hostile texts are stored and returned as they are, and reach no file outside the storage', async () => {
	const { person } = await connected()
	const body_text = `<script>alert(1)</script> '; drop table templates; -- ${'😀'.repeat(20)} done`
	const evil = new File([new Uint8Array(PNG)], '../../../etc/passwd\0.png', { type: 'image/png' })
	const { status, body } = await create(person, { body_text, body_examples: '[]', header_type: 'IMAGE' }, evil)
	assert.equal(status, 200, body.message)
	assert.equal(body.template.components[1]?.text, body_text)
	const [row] = await app.context.db<{ file: string }[]>`
		select header_file as file from templates where account_id = ${person.ownerId}
	`
	assert.match(row?.file ?? '', /^\d+\/headers\/[\w-]+\/[\w-]+\.png$/)
	for (const buttons of ['{', '{}', '[{"type":"EVIL"}]', '[1]']) {
		assert.equal((await create(person, { buttons })).status, 400, buttons)
	}
})
