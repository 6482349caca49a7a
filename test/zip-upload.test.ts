import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { deleteUnusedFiles } from '#app/server/housekeeping/unused-files.ts'
import { headerFiles } from '#features/header-files/contract.ts'
import { DAY_MS, HOUR_MS } from '#lib/durations.ts'
import { fillPath } from '#lib/endpoint.ts'
import { startProductChild } from './child-process.ts'
import { newSender, pdf, zipOf } from './file-scene.ts'
import { findFreePort } from './free-port.ts'
import { launchProduct } from './full-stack.ts'
import { call } from './http-app.ts'
import { fileOf } from './scenes/template-tests.ts'
import { until } from './until.ts'

const FILES = 400

const port = await findFreePort()
const url = `http://127.0.0.1:${port}`
const product = await launchProduct({ env: { ROLE: 'http' } })
const incoming = await mkdtemp(join(tmpdir(), 'incoming-'))
after(() => rm(incoming, { recursive: true }))

/** Starts a web server of its own, which the tests kill. Each upload lies in `incoming` until it is taken. */
const startServer = () =>
	startProductChild({ ...product.env, PORT: String(port), PUBLIC_URL: url, ROLE: 'http', TMPDIR: incoming })

async function kill(child: ChildProcess): Promise<void> {
	child.kill('SIGKILL')
	await once(child, 'exit')
}

/** Returns the files that web servers are receiving. */
async function received(): Promise<string[]> {
	const names = await readdir(incoming, { recursive: true })
	return names.filter((name) => name.includes('/'))
}

/** Sends a form with the first half of a zip, and leaves the rest out. */
function sendHalf(path: string, { token, zip }: { token: string; zip: Buffer }) {
	const head = Buffer.from(
		'--part\r\ncontent-disposition: form-data; name="file"; filename="reports.zip"\r\ncontent-type: application/zip\r\n\r\n',
	)
	const headers = {
		authorization: `Bearer ${token}`,
		'content-type': 'multipart/form-data; boundary=part',
		'content-length': head.length + zip.length + 12,
	}
	const sent = request(url + path, { method: 'POST', headers })
	const failed = once(sent, 'error')
	sent.write(head)
	sent.write(zip.subarray(0, zip.length / 2))
	return failed
}

test('a zip that a killed web server had received or unpacked in part is taken whole once it is sent again', async () => {
	const sender = await newSender(product, 0)
	const { accountId, token } = sender
	const files = Array.from({ length: FILES }, (_, at): [string, Buffer] => [`${at}.pdf`, pdf(`${at}`.repeat(500))])
	const zip = await zipOf(files)
	const { body } = await call(product.process.url, headerFiles.create, { body: { kind: 'DOCUMENT' }, token })
	const params = { id: body.set._id }
	const counted = async () => (await call(product.process.url, headerFiles.get, { params, token })).body.set.files

	let child = await startServer()
	const broken = sendHalf(fillPath(headerFiles.addZip.path, params), { token, zip })
	await until(async () => (await received()).length === 1)
	await kill(child)
	await broken
	assert.equal(await counted(), 0)

	child = await startServer()
	const send = () =>
		call(url, headerFiles.addZip, {
			params,
			files: { file: fileOf(zip, 'reports.zip', 'application/zip') },
			token,
		})
	const unpacked = assert.rejects(send())
	await until(async () => (await counted()) > 20)
	await kill(child)
	await unpacked
	const before = await counted()
	assert.ok(before < FILES, `${before} files`)

	child = await startServer()
	// The uploads of the killed servers count as abandoned after an hour.
	const past = new Date(Date.now() - 2 * HOUR_MS)
	for (const name of await readdir(incoming)) await utimes(join(incoming, name), past, past)
	const again = await send()
	assert.deepEqual([again.status, again.body.added, again.body.set.files], [200, FILES - before, FILES])
	await until(async () => (await readdir(incoming)).length === 0)
	const rows = await product.db<{ name: string; key: string }[]>`
		select name, file_key as key from header_files where account_id = ${accountId} order by id
	`
	const contents = new Map(files)
	for (const { name, key } of rows)
		assert.deepEqual(await product.process.context.storage.get(key), contents.get(name), name)
	await kill(child)

	// Files that the killed server had begun to store are deleted after a week, and their bytes are free again.
	await product.db`update account_storage set changed_at = now() - interval '2 hours' where account_id = ${accountId}`
	const folder = join(product.env['DATA_DIR'] ?? '', 'files', String(accountId), 'person-files')
	const week = new Date(Date.now() - 8 * DAY_MS)
	for (const name of await readdir(folder)) await utimes(join(folder, name), week, week)
	const { context } = product.process
	await deleteUnusedFiles(context)
	await product.db`update account_storage set changed_at = now() - interval '2 hours' where account_id = ${accountId}`
	await deleteUnusedFiles(context)
	assert.equal((await readdir(folder)).length, FILES)
	const [used] = await product.db<{ bytes: number }[]>`
		select bytes from account_storage where account_id = ${accountId}
	`
	const sample = pdf('sample').length
	assert.equal(
		used?.bytes,
		files.reduce((sum, [, content]) => sum + content.length, sample),
	)
})
