import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { account, type TestAccount } from './factories.ts'
import { HOSTILE_WORKBOOKS } from './files/hostile-workbooks.ts'
import { startTestApp, type TestApp } from './http-app.ts'
import { until } from './until.ts'

let app: TestApp
let who: TestAccount
before(async () => {
	app = await startTestApp()
	who = await account(app.context)
})
after(() => app.close())

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memoryMb(): number {
	collectGarbage()
	const { heapUsed, external } = process.memoryUsage()
	return (heapUsed + external) / 1024 / 1024
}

suite('hostile workbooks', () => {
	let usedBefore = 0
	for (const { name, file, says } of HOSTILE_WORKBOOKS) {
		const outcome = says === null ? 'is read without harm' : 'is refused with a message'
		test(`a workbook with ${name} ${outcome} as contacts and as a campaign's audience`, async () => {
			usedBefore ||= memoryMb()
			const bytes = Uint8Array.from(file())
			const named = (filename: string) => ({ file: new File([bytes], filename, { type: 'application/octet-stream' }) })
			const [asContacts, asAudience] = await Promise.all([
				app.call(contacts.readSpreadsheet, { files: named('a.xlsx') }, who),
				app.call(campaignPreflight.audienceFile, { body: { templateId: '' }, files: named('a.xlsm') }, who),
			])
			assert.deepEqual([asContacts.status, asAudience.status], says === null ? [200, 200] : [400, 400])
			if (says === null) return
			assert.match(asContacts.body.message ?? '', says)
			assert.match(asAudience.body.message ?? '', says)
		})
	}
	test('after all hostile workbooks no process is left, and the server’s memory is back to what it was', async () => {
		assert.deepEqual(
			process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap'),
			[],
		)
		// Buffers are freed a while after they are collected.
		await until(() => memoryMb() - usedBefore < 50)
	})
})
