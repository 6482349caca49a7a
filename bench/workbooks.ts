import { setTimeout as sleep } from 'node:timers/promises'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { HOSTILE_WORKBOOKS } from '#test/files/hostile-workbooks.ts'
import { measureBeside, ROUNDS, type Greedy, type Load } from './scenes/bystander.ts'

/**
 * Measures the screens of one account while another account uploads harmful workbooks, alternately as contacts and as a
 * campaign's audience, first sequentially and then concurrently. Each round takes a part of the workbooks.
 */
interface Upload {
	path: string
	bytes: Uint8Array<ArrayBuffer>
}

const FILES = HOSTILE_WORKBOOKS.map(({ file }, at): Upload => {
	const { path } = Math.floor(at / ROUNDS) % 2 ? contacts.readSpreadsheet : campaignPreflight.audienceFile
	return { path, bytes: Uint8Array.from(file()) }
})
const partOf = (round: number) => FILES.filter((_, at) => at % ROUNDS === round)
let longestMs = 0

await measureBeside({
	'one after the other': (greedy, round) =>
		started(async () => {
			for (const file of partOf(round)) {
				const startedAt = performance.now()
				await upload(greedy, file)
				longestMs = Math.max(longestMs, performance.now() - startedAt)
			}
		}),
	'at once': (greedy, round) => started(() => Promise.all(partOf(round).map((file) => upload(greedy, file)))),
})
console.log(`${FILES.length} workbooks; the longest alone took ${(longestMs / 1000).toFixed(1)} s (wanted: at most 10)`)

async function upload({ send, note, templateId }: Greedy, { path, bytes }: Upload): Promise<void> {
	for (;;) {
		const body = new FormData()
		if (path === campaignPreflight.audienceFile.path) body.set('templateId', templateId)
		body.set('file', new Blob([bytes]), 'a.xlsx')
		const response = await send(path, { method: 'POST', body })
		await response.arrayBuffer()
		note('workbook', response.status)
		if (response.status !== 429) return
		await sleep(100)
	}
}

function started(work: () => Promise<unknown>): Load {
	const done = work()
	return {
		done,
		async stop() {
			await done
		},
	}
}
