import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zip, type Part } from '#test/files/zip.ts'
import { filesOfZip } from './zip-files.ts'

const MEGABYTE = 1024 * 1024
const CONTENT = '%PDF-1.4 a report'

const folder = await mkdtemp(join(tmpdir(), 'zip-files-'))
after(() => rm(folder, { recursive: true }))

/** Returns the paths of the files of a zip with their contents, or the code of the refusal of one. */
async function read(bytes: Buffer): Promise<[string, string | null][]> {
	const path = join(folder, 'reports.zip')
	await writeFile(path, bytes)
	const found: [string, string | null][] = []
	for await (const group of filesOfZip(path, 10 * MEGABYTE))
		for (const file of group) {
			const content = await file.content?.().catch(({ code }: { code: string }) => code)
			found.push([file.path, content === undefined ? null : String(content)])
		}
	return found
}

const reports = (count: number): Part[] =>
	Array.from({ length: count }, (_, at) => ({ name: `class/${at}.pdf`, content: CONTENT }))

/** Returns a zip whose last record claims this number of entries. */
function claiming(count: number): Buffer {
	const bytes = zip(reports(1))
	bytes.writeUInt16LE(count, bytes.length - 12)
	return bytes
}

for (const [what, bytes, code] of [
	['no zip', Buffer.from('no zip'), 'zip_unreadable'],
	['a zip that was cut off', zip(reports(20)).subarray(0, -30), 'zip_unreadable'],
	[
		'an encrypted file after others',
		zip([...reports(20), { name: 'a', content: '', isEncrypted: true }]),
		'zip_encrypted',
	],
	[
		'a path out of the folder after others',
		zip([...reports(20), { name: 'a/../../b.pdf', content: '' }]),
		'zip_unsafe',
	],
	['an absolute path', zip([{ name: '/etc/passwd', content: '' }]), 'zip_unsafe'],
	['a path of Windows', zip([{ name: 'C:\\a.pdf', content: '' }]), 'zip_unsafe'],
	[
		'a file that is a thousand times as large as packed',
		zip([{ name: 'a', content: Buffer.alloc(5 * MEGABYTE) }]),
		'zip_swollen',
	],
	[
		'many small files that have four gigabytes',
		zip(reports(4096).map((part) => ({ ...part, claimedSize: MEGABYTE, isOverlapping: true }))),
		'zip_too_large',
	],
	['more files than a set can have', zip(reports(20_001)), 'zip_too_many'],
	['fifty thousand entries by its last record', claiming(50_000), 'zip_too_many'],
] as const)
	test(`filesOfZip throws ${code} before the first file for ${what}`, () => assert.rejects(read(bytes), { code }))

test('filesOfZip refuses the content of a damaged file alone, and unpacks those around it', async () => {
	const parts = [
		{ name: 'a.pdf', content: CONTENT },
		{ name: 'less.pdf', content: CONTENT, claimedSize: 4 },
		{ name: 'more.pdf', content: CONTENT, claimedSize: 400 },
		{ name: 'large.pdf', content: CONTENT, claimedSize: MEGABYTE - 1 },
		{ name: 'z.pdf', content: CONTENT },
	]
	assert.deepEqual(await read(zip(parts)), [
		['a.pdf', CONTENT],
		['less.pdf', 'person_file_refused'],
		['more.pdf', 'person_file_refused'],
		['large.pdf', 'person_file_refused'],
		['z.pdf', CONTENT],
	])
})
