import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ZipFile } from 'yazl'
import { headerFiles } from '#features/header-files/contract.ts'
import { numberInName } from '#features/header-files/rules.ts'
import { privacy } from '#features/privacy/contract.ts'
import type { TestAccount } from '#test/factories.ts'
import { zipOf } from '#test/file-scene.ts'
import { launchTestApp } from '#test/http-app.ts'
import { fileOf, PNG } from '#test/scenes/template-tests.ts'
import { trustedCertificate } from '#test/servers/certificate.ts'
import { matchRows } from '../match/match-queries.ts'

const app = await launchTestApp({ env: { ALLOW_PRIVATE_TARGETS: '1' } })
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
/** Returns the names of the files of a set. Those of a zip are stored a few at a time, in any order. */
const namesOf = async (id: string) => (await app.call(headerFiles.get, { params: { id } }, person)).body.names

async function keysIn(id: string): Promise<string[]> {
	const rows = await app.context.db<{ key: string }[]>`
		select file_key as key from header_files where account_id = ${person.accountId} and set_id = ${id} order by id
	`
	return rows.map(({ key }) => key)
}

test('add keeps the real name with its extension, stores equal contents once, and takes the same file again as done', async () => {
	const id = await newSet()
	for (const name of ['रिपोर्ट 9876543210.pdf', 'copy.pdf', 'copy.pdf', 'Slip no. 5', 'Slip no. 5'])
		assert.equal((await add(id, upload(pdf('a'), name))).status, 200)
	assert.deepEqual(await namesOf(id), ['रिपोर्ट 9876543210.pdf', 'copy.pdf', 'Slip no. 5.pdf'])
	const [first = '', second] = await keysIn(id)
	assert.equal(first, second)
	assert.deepEqual(await app.context.storage.get(first), pdf('a'))
	const shown = await app.call(headerFiles.show, { params: { id }, query: {} }, person)
	assert.match(decodeURIComponent(shown.headers.get('content-disposition') ?? ''), /रिपोर्ट 9876543210\.pdf/)
})

async function usedBytes(): Promise<number> {
	const [row] = await app.context.db<{ bytes: number }[]>`
		select bytes from account_storage where account_id = ${person.accountId}
	`
	return row?.bytes ?? 0
}

test('equal contents that arrive at the same time take room for one', async () => {
	const id = await newSet()
	const before = await usedBytes()
	const content = pdf('a brochure'.repeat(1000))
	const added = await Promise.all(['a', 'b', 'c', 'd'].map((name) => add(id, upload(content, `${name}.pdf`))))
	assert.deepEqual(
		added.map(({ status }) => status),
		[200, 200, 200, 200],
	)
	assert.equal((await usedBytes()) - before, content.length)
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
	const zip = await zipOf(
		Object.entries({
			'class 5/आशा.pdf': pdf('1'),
			'class 6/Ravi.pdf': pdf('2'),
			'class 6/asha.png': PNG,
			'more.zip': Buffer.from('PK'),
			'__MACOSX/._Ravi.pdf': pdf('3'),
			'.DS_Store': Buffer.from('x'),
		}),
	)
	const { status, body } = await addZip(id, zip)
	assert.equal(status, 200, body.message)
	assert.deepEqual([body.added, body.set.files, body.refused.map(({ name }) => name)], [2, 2, ['asha.png', 'more.zip']])
	assert.deepEqual((await namesOf(id)).toSorted(), ['Ravi.pdf', 'आशा.pdf'])
	const again = await addZip(id, zip)
	assert.deepEqual([again.body.added, again.body.set.files], [0, 2])
})

test('addZip reads names in UTF-8 and in the DOS code page, sizes behind the files, and a zip in the format for large ones', async () => {
	const id = await newSet()
	const ascii = await zipOf(Object.entries({ 'Andr_.pdf': pdf('1'), 'रिपोर्ट.pdf': pdf('2') }))
	const named = Buffer.from(ascii.toString('latin1').replaceAll('Andr_', 'Andr\x82'), 'latin1')
	const large = new ZipFile()
	large.addBuffer(pdf('3'), 'large.pdf', { forceZip64Format: true })
	large.addReadStream(Readable.from([pdf('4')]), 'streamed.pdf')
	large.end({ forceZip64Format: true, comment: '' })
	for (const zip of [named, await buffer(large.outputStream)]) {
		const { status, body } = await addZip(id, zip)
		assert.equal(status, 200, body.message)
	}
	assert.deepEqual((await namesOf(id)).toSorted(), ['André.pdf', 'large.pdf', 'streamed.pdf', 'रिपोर्ट.pdf'])
})

test('addAddress adds the file of an address once under its own name, and notes the reason of an address without one', async (t) => {
	const asked: string[] = []
	const server = createServer(await trustedCertificate(), ({ url = '' }, response) => {
		asked.push(url)
		if (url === '/gone') return response.writeHead(404).end()
		if (url === '/picture') return response.end(PNG)
		response.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent('रिपोर्ट 7.pdf')}`)
		return response.end(pdf(url))
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	t.after(() => server.close())
	const at = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
	const id = await newSet()
	const fetched = async (path: string) => {
		const { status, body } = await app.call(
			headerFiles.addAddress,
			{ params: { id }, body: { address: at + path } },
			person,
		)
		return status === 200 ? body.set.files : body.message
	}
	// Files from two addresses may have the same name, since each is found by its address.
	assert.deepEqual([await fetched('/1'), await fetched('/2'), await fetched('/1')], [1, 2, 2])
	assert.deepEqual(asked, ['/1', '/2'])
	assert.match(String(await fetched('/gone')), /error 404/)
	assert.match(String(await fetched('/picture')), /not a PDF/)
	assert.match(String(await fetched('x')), /must be an https address/)
	assert.deepEqual(await namesOf(id), ['रिपोर्ट 7.pdf', 'रिपोर्ट 7.pdf'])
	await add(id, upload(pdf('c'), 'c.pdf'))
	const wanted = ['/1', '/2', '/gone', '/picture', '/later'].map((path) => at + path).concat('folder\\C.PDF', 'none')
	const match = () =>
		matchRows(app.context.db, person.accountId, {
			rows: app.context.db`
				select n as place, null::int as origin_seq, n::text as number, null::text as name, array[value] as merge_values
				from unnest(${wanted}::text[]) with ordinality as w (value, n)
			`,
			kept: 0,
			rule: { setId: Number(id), by: 'column', missing: 'leave-out' },
			sampled: 10,
		})
	const { people, matched, refused, unfetched, addresses, rows } = await match()
	assert.deepEqual([people, matched, refused, unfetched.length, addresses], [7, 3, 2, 1, [`${at}/later`]])
	assert.deepEqual(
		rows
			.toSorted((a, b) => Number(a.number) - Number(b.number))
			.map(({ file, reason }) => file?.name ?? reason?.slice(0, 12)),
		['रिपोर्ट 7.pdf', 'रिपोर्ट 7.pdf', 'The server o', 'This file is', undefined, 'c.pdf', undefined],
	)
	await app.call(headerFiles.forgetRefused, { params: { id } }, person)
	assert.deepEqual([(await match()).refused, (await match()).unfetched.length], [0, 3])
})

test('numberInName returns the only number of a name with its country code', () => {
	for (const [name, number] of [
		['Report 9876543210', '919876543210'],
		['919876543210_marks', '919876543210'],
		['09876543210', '919876543210'],
		['447700900123-slip', '447700900123'],
		['2026-11 Asha', null],
		['9876543210_20261127143000', '919876543210'],
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
