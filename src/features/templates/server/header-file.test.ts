import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameInKey } from '#lib/server/files/file-name.ts'
import { template } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { MP4, PDF, PNG, THREE_GP, fieldsOf, fileOf, picture, templateTests } from '#test/scenes/template-tests.ts'
import { templates } from '../contract.ts'

const app = await launchTestApp({ simulator: true })
const given = templateTests(app)

test('create uploads a header file to Meta, stores it for sending and returns its address in mediaUrl', async () => {
	const { person } = await given.connected()
	for (const [header_type, file, type] of [
		['IMAGE', picture(), 'image/png'],
		['VIDEO', fileOf(MP4, 'clip.mp4', 'video/mp4'), 'video/mp4'],
		['DOCUMENT', fileOf(PDF, 'Price list – été.pdf', 'application/pdf'), 'application/pdf'],
	] as const) {
		const { status, body } = await given.create(
			person,
			{ name: `with_${header_type.toLowerCase()}`, header_type },
			file,
		)
		assert.equal(status, 200, body.message)
		const { _id, mediaUrl, needsHeaderFile } = body.template
		assert.deepEqual([mediaUrl, needsHeaderFile], [`/api/templates/${_id}/header`, false])
		const shown = await app.call(templates.headerFile, { params: { id: _id } }, person)
		assert.equal(shown.headers.get('content-type'), type)
		const disposition = decodeURIComponent(shown.headers.get('content-disposition') ?? '')
		assert.ok(disposition.includes(file.name), disposition)
		assert.deepEqual(Buffer.from(await shown.body.arrayBuffer()), Buffer.from(await file.arrayBuffer()))
	}
	const [row] = await app.context.db<{ file: string }[]>`
		select header_file as file from templates where account_id = ${person.accountId} and name = 'with_document'
	`
	assert.match(row?.file ?? '', new RegExp(`^${person.accountId}/headers/[\\w-]+/Price-list-ete\\.pdf$`))
	assert.equal(nameInKey(row?.file ?? ''), 'Price list – été.pdf')
})

test('create detects a header file’s type by content and not by name', async () => {
	const { person } = await given.connected()
	const refused = async (header_type: string, file: File) => {
		const { status, body } = await given.create(person, { header_type }, file)
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
	assert.equal((await given.list(person)).total, 0)
})

test('create refuses a header file without an App ID before uploading anything', async () => {
	const { person } = await given.connected({ hasApp: false })
	await given.fault({ call: 'uploads', kind: 'error', code: 1, times: 1 })
	const { status, body } = await given.create(person, { header_type: 'IMAGE' }, picture())
	await app.simulator.control.clearFaults()
	assert.equal(status, 400)
	assert.match(fieldsOf(body)['header_file'] ?? '', /needs the App ID/)
	assert.equal((await given.create(person, { name: 'no_file' })).status, 200)
})

test('create returns 413 for a header file over the account’s storage, and submits nothing to Meta', async () => {
	const { person } = await given.connected()
	await app.context.db`
		insert into account_storage (account_id, bytes) values (${person.accountId}, ${10_240 * 1024 * 1024 - 1})
	`
	const refused = await given.create(person, { header_type: 'IMAGE' }, picture())
	assert.equal(refused.status, 413)
	assert.match(refused.body.message ?? '', /may keep 10,240 MB of files/)
	await app.call(templates.sync, {}, person)
	assert.deepEqual((await given.list(person)).templates, [])
})

test('create resumes an interrupted upload of a header file at its offset', async () => {
	const { person } = await given.connected()
	await given.fault({ call: 'upload', kind: 'drop', accepted: false, times: 1 })
	const { status, body } = await given.create(person, { header_type: 'IMAGE' }, picture())
	assert.equal(status, 200, body.message)
})

test('create returns Meta’s refusal of an upload at the file’s field', async () => {
	const { person } = await given.connected()
	await given.fault({ call: 'uploads', kind: 'error', code: 100, subcode: 33, times: 1 })
	const { status, body } = await given.create(person, { header_type: 'IMAGE' }, picture())
	assert.equal(status, 400)
	assert.match(fieldsOf(body)['header_file'] ?? '', /App ID/)
})

test('create reuses the header file of a duplicated template of the same kind and account', async () => {
	const { person } = await given.connected()
	const { body: original } = await given.create(person, { header_type: 'IMAGE' }, picture())
	const header_from = original.template._id
	const { status, body } = await given.create(person, { name: 'again', header_type: 'IMAGE', header_from })
	assert.equal(status, 200, body.message)
	assert.ok(body.template.mediaUrl)
	const other = await given.create(person, { name: 'other', header_type: 'VIDEO', header_from })
	assert.equal(fieldsOf(other.body)['header_file'], 'This file is not an MP4 video')
	const stranger = await given.connected()
	const stolen = await given.create(stranger.person, { header_type: 'IMAGE', header_from })
	assert.equal(stolen.body.message, 'Please upload a image for the header')
})

test('uploadHeaderFile stores a missing header file of the header’s type, and refuses others', async () => {
	const { person } = await given.connected()
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: 'Look at this' },
	]
	const { id } = await template(app.context.db, person.accountId, { components })
	const upload = (file?: File) =>
		app.call(
			templates.uploadHeaderFile,
			{ params: { id: String(id) }, body: { _: '' } as never, ...(file && { files: { header_file: file } }) },
			person,
		)
	assert.equal((await given.list(person)).templates[0]?.needsHeaderFile, true)
	assert.equal((await upload()).body.message, 'Please upload a image for the header')
	assert.equal((await upload(fileOf(PDF, 'a.png', 'image/png'))).body.message, 'This file is not a JPEG or PNG image')
	const { status, body } = await upload(picture())
	assert.deepEqual([status, body.template.needsHeaderFile], [200, false])
	assert.ok((await given.list(person)).templates[0]?.mediaUrl)
	const text = await template(app.context.db, person.accountId)
	const params = { id: String(text.id) }
	const refused = await app.call(templates.uploadHeaderFile, { params, files: { header_file: picture() } }, person)
	assert.equal(refused.status, 400)
})

test('create stores hostile texts unchanged, and creates no file outside the storage', async () => {
	const { person } = await given.connected()
	const body_text = `<script>alert(1)</script> '; drop table templates; -- ${'😀'.repeat(20)} done`
	const evil = new File([new Uint8Array(PNG)], '../../../etc/passwd\0.png', { type: 'image/png' })
	const { status, body } = await given.create(person, { body_text, body_examples: '[]', header_type: 'IMAGE' }, evil)
	assert.equal(status, 200, body.message)
	assert.equal(body.template.components[1]?.text, body_text)
	const [row] = await app.context.db<{ file: string }[]>`
		select header_file as file from templates where account_id = ${person.accountId}
	`
	assert.match(row?.file ?? '', /^\d+\/headers\/[\w-]+\/[\w-]+\.png$/)
	for (const buttons of ['{', '{}', '[{"type":"EVIL"}]', '[1]']) {
		assert.equal((await given.create(person, { buttons })).status, 400, buttons)
	}
})
