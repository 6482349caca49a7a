import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
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

suite('hostile workbooks', () => {
	let usedBefore = 0
	// Both uses share one reader, so each workbook is given to one of them, in turn.
	for (const [at, { name, file, says }] of HOSTILE_WORKBOOKS.entries()) {
		const [use, read] = USES[at % USES.length] ?? USES[0]
		test(`a workbook with ${name} as ${use} ${says === null ? 'is read without harm' : 'is refused with a message'}`, async () => {
			usedBefore ||= memoryMb()
			const { status, body } = await read(Uint8Array.from(file()))
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
