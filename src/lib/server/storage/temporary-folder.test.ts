import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryFolder } from './temporary-folder.ts'

test('makeTemporaryFolder removes folders that a killed process left an hour ago, and neither used nor foreign ones', async (t) => {
	const parent = await mkdtemp(join(tmpdir(), 'temporary-'))
	t.after(() => rm(parent, { recursive: true, force: true }))
	const left = await makeTemporaryFolder(parent)
	await writeFile(join(left, 'people.csv'), 'Asha,919800000001')
	const inUse = await makeTemporaryFolder(parent)
	const ofOthers = join(parent, 'upload-of-others')
	await mkdir(ofOthers)
	const longAgo = new Date(Date.now() - 3_700_000)
	for (const folder of [left, ofOthers]) await utimes(folder, longAgo, longAgo)
	const fresh = await makeTemporaryFolder(parent)
	const expected = [inUse, ofOthers, fresh].map((path) => basename(path)).toSorted()
	assert.deepEqual((await readdir(parent)).toSorted(), expected)
})
