import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { AppError } from '#lib/app-error.ts'
import { DEFAULT_LIMITS } from '#lib/server/files/spreadsheet/limits.ts'
import { sheetToCsv } from '#lib/server/files/spreadsheet/sheet-to-csv.ts'
import { account } from './factories.ts'
import { HOSTILE_WORKBOOKS } from './files/hostile-workbooks.ts'
import { launchTestApp } from './http-app.ts'
import { until } from './until.ts'

const app = await launchTestApp()
const who = await account(app.context)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memoryMb(): number {
	collectGarbage()
	const { heapUsed, external } = process.memoryUsage()
	return (heapUsed + external) / 1024 / 1024
}

const named = (bytes: Uint8Array<ArrayBuffer>, filename: string) => ({
	file: new File([bytes], filename, { type: 'application/octet-stream' }),
})
const USES = [
	[
		'contacts',
		(bytes: Uint8Array<ArrayBuffer>) => app.call(contacts.readSpreadsheet, { files: named(bytes, 'a.xlsx') }, who),
	],
	[
		'a campaign’s audience',
		(bytes: Uint8Array<ArrayBuffer>) =>
			app.call(campaignPreflight.audienceFile, { body: { templateId: '' }, files: named(bytes, 'a.xlsm') }, who),
	],
] as const

const folder = await mkdtemp(join(tmpdir(), 'hostile-workbooks-'))
after(() => rm(folder, { recursive: true }))

/**
 * Size in bytes up to which a file is read in this process. A small file is hostile by its content, not by the work to read
 * it.
 */
const SMALL_BYTES = 2000

interface Answer {
	status: number
	body: { message?: string }
}

/** Reads a workbook as the reading process does. Returns the status and message of its refusal. */
async function readHere(bytes: Uint8Array<ArrayBuffer>): Promise<Answer> {
	const path = join(folder, 'a.xlsx')
	await writeFile(path, bytes)
	return sheetToCsv(path, `${path}.csv`, DEFAULT_LIMITS).then(
		() => ({ status: 200, body: {} }),
		({ status, message }: AppError) => ({ status, body: { message } }),
	)
}

suite('hostile workbooks', () => {
	let usedBefore = 0
	// Gives each workbook to one of the two uses in turn, because both uses share one reader.
	for (const [at, { name, file, says }] of HOSTILE_WORKBOOKS.entries()) {
		const [use, read] = USES[at % USES.length] ?? USES[0]
		test(`a workbook with ${name} as ${use} ${says === null ? 'is read without harm' : 'is refused with a message'}`, async () => {
			usedBefore ||= memoryMb()
			const bytes = Uint8Array.from(file())
			const { status, body }: Answer = await (bytes.length <= SMALL_BYTES ? readHere(bytes) : read(bytes))
			assert.equal(status, says === null ? 200 : 400)
			if (says !== null) assert.match(body.message ?? '', says)
		})
	}
	test('after all hostile workbooks no process is left, and the server’s memory has returned to its earlier size', async () => {
		assert.deepEqual(
			process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap'),
			[],
		)
		// Buffers are freed a while after their collection.
		await until(() => memoryMb() - usedBefore < 50)
	})
})
