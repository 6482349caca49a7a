import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ZipFile } from 'yazl'
import { headerFiles } from '#features/header-files/contract.ts'
import { numberInName } from '#features/header-files/rules.ts'
import { privacy } from '#features/privacy/contract.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { fileOf, PNG } from '#test/scenes/template-tests.ts'

const app = await launchTestApp()
const person = await app.signIn('user')

const pdf = (text: string) => Buffer.from(`%PDF-1.4 ${text}`)
const upload = (content: Buffer, name: string) => fileOf(content, name, 'application/pdf')

async function newSet(kind: 'DOCUMENT' | 'IMAGE' = 'DOCUMENT', as = person): Promise<string> {
	return (await app.call(headerFiles.create, { body: { kind } }, as)).body.set._id
}

const add = (id: string, file: File, as: TestAccount = person) =>
	app.call(headerFiles.add, { params: { id }, files: { file } }, as)
const addZip = (id: string, content: Buffer) =>
	app.call(
		headerFiles.addZip,
		{ params: { id }, files: { file: fileOf(content, 'reports.zip', 'application/zip') } },
		person,
	)
const namesOf = async (id: string) => (await app.call(headerFiles.get, { params: { id } }, person)).body.names

async function zipOf(files: Record<string, Buffer>): Promise<Buffer> {
	const zip = new ZipFile()
	for (const [path, content] of Object.entries(files)) zip.addBuffer(content, path)
	zip.end()
	return buffer(zip.outputStream)
}

async function keysIn(id: string): Promise<string[]> {
	const rows = await app.context.db<{ key: string }[]>`
		select file_key as key from header_files where account_id = ${person.accountId} and set_id = ${id} order by id
	`
	return rows.map(({ key }) => key)
}

test('add keeps the real name, stores equal contents once, and takes the same file again as done', async () => {
	const id = await newSet()
	for (const name of ['रिपोर्ट 9876543210.pdf', 'copy.pdf', 'copy.pdf'])
		assert.equal((await add(id, upload(pdf('a'), name))).status, 200)
	assert.deepEqual(await namesOf(id), ['रिपोर्ट 9876543210.pdf', 'copy.pdf'])
	const [first = '', second] = await keysIn(id)
	assert.equal(first, second)
	assert.deepEqual(await app.context.storage.get(first), pdf('a'))
	const shown = await app.call(headerFiles.show, { params: { id }, query: {} }, person)
	assert.match(decodeURIComponent(shown.headers.get('content-disposition') ?? ''), /रिपोर्ट 9876543210\.pdf/)
})

test('add refuses another file of the same name in any case, an empty one, and one of another type than the header', async () => {
	const id = await newSet()
	assert.equal((await add(id, upload(pdf('a'), 'Asha.PDF'))).status, 200)
	for (const [file, message] of [
		[upload(pdf('b'), 'asha.pdf'), /same name/],
		[upload(Buffer.alloc(0), 'empty.pdf'), /empty/],
		[upload(PNG, 'picture.pdf'), /not a PDF/],
	] as const) {
		const { status, body } = await add(id, file)
		assert.equal(status, 400)
		assert.match(body.message, message)
	}
	assert.deepEqual(await namesOf(id), ['Asha.PDF'])
})

test('addZip adds the files of all folders once, and names those that cannot be headers', async () => {
	const id = await newSet()
	const zip = await zipOf({
		'class 5/आशा.pdf': pdf('1'),
		'class 6/Ravi.pdf': pdf('2'),
		'class 6/asha.png': PNG,
		'more.zip': Buffer.from('PK'),
		'__MACOSX/._Ravi.pdf': pdf('3'),
		'.DS_Store': Buffer.from('x'),
	})
	const { status, body } = await addZip(id, zip)
	assert.equal(status, 200, body.message)
	assert.deepEqual([body.added, body.set.files, body.refused.map(({ name }) => name)], [2, 2, ['asha.png', 'more.zip']])
	assert.deepEqual(await namesOf(id), ['आशा.pdf', 'Ravi.pdf'])
	const again = await addZip(id, zip)
	assert.deepEqual([again.body.added, again.body.set.files], [0, 2])
})

test('addZip refuses a damaged zip, an encrypted one, a path that leads out, and a bomb, and adds nothing of it', async () => {
	const id = await newSet()
	const good = await zipOf({ 'a.pdf': pdf('1') })
	const encrypted = Buffer.from(good)
	const central = encrypted.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
	encrypted.writeUInt16LE(encrypted.readUInt16LE(central + 8) | 1, central + 8)
	const outside = Buffer.from(
		(await zipOf({ 'xx/yy.pdf': pdf('1') })).toString('latin1').replaceAll('xx/', '../'),
		'latin1',
	)
	const bomb = await zipOf({ 'bomb.pdf': Buffer.concat([pdf(''), Buffer.alloc(5_000_000)]) })
	for (const [zip, message] of [
		[Buffer.from('no zip'), /damaged or is not a ZIP/],
		[encrypted, /has a password/],
		[outside, /leads out of it/],
		[bomb, /200 times/],
	] as const) {
		const { status, body } = await addZip(id, zip)
		assert.equal(status, 400, body.message)
		assert.match(body.message, message)
	}
	assert.deepEqual(await namesOf(id), [])
})

test('numberInName returns the only number of a name with its country code', () => {
	for (const [name, number] of [
		['Report 9876543210', '919876543210'],
		['919876543210_marks', '919876543210'],
		['09876543210', '919876543210'],
		['447700900123-slip', '447700900123'],
		['2026-11 Asha', null],
		['9876543210 9123456789', null],
		['9876543210 and 919876543210', '919876543210'],
	] as const)
		assert.equal(numberInName(name), number, name)
})

test('the erasure of a person deletes the files with the number in their names, and a deleted set has no files', async () => {
	const id = await newSet()
	await add(id, upload(pdf('a'), 'report 9811111111.pdf'))
	await add(id, upload(pdf('b'), 'report 9822222222.pdf'))
	await app.call(privacy.erase, { body: { number: '+919811111111' } }, person)
	assert.deepEqual(await namesOf(id), ['report 9822222222.pdf'])
	assert.equal((await app.call(headerFiles.remove, { params: { id } }, person)).status, 200)
	assert.deepEqual(await keysIn(id), [])
})
