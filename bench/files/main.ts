import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { createLog } from '#lib/server/log.ts'
import { connectSimulator } from '#simulator/client.ts'
import { createTestDatabase } from '#test/database.ts'
import { byNumber, documentsOf, hashOf, newSender, numbersOf, order, pdf, throughOf, upload } from '#test/file-scene.ts'
import { findFreePort } from '#test/free-port.ts'
import { campaignWhen, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { startSimulatorProcess } from '../programs/processes.ts'
import { startProductProcess } from '../senders/product-process.ts'

/**
 * Measures a campaign with a file for each person: the time to match people with files, the memory of the web server and of
 * the worker, the pace of the uploads, and another account's campaign beside them. BENCH_ROWS people have files. The first
 * BENCH_UPLOADS of them get theirs: the pace is measured for the first half, then the worker is killed, and another one
 * continues. Exits with 1 when one of these people got another file than the own one, a file twice, or none although the
 * message has not failed.
 */
const PEOPLE = Number(process.env.BENCH_ROWS ?? 10_000)
const UPLOADS = Math.min(PEOPLE, Number(process.env.BENCH_UPLOADS ?? 2000))
const FILE_BYTES = 20_000
/** People without a file, with a file that is no PDF, and with two files. */
const [MISSING, CORRUPT, DOUBTFUL] = [PEOPLE / 50, PEOPLE / 200, PEOPLE / 500].map(Math.ceil) as [
	number,
	number,
	number,
]
/** Uploads a second that the product allows itself for a number. */
const UPLOADS_PER_SECOND = 20
/** Recipients and messages a second of the other account's campaign. */
const OTHERS = Math.min(2000, 2 * UPLOADS)
const OTHERS_PER_SECOND = 100
/** Seconds after which a message without an answer fails: those that were in flight when the worker was killed. */
const UNKNOWN_AFTER = '5'

const [simulator, database, port] = await Promise.all([startSimulatorProcess(), createTestDatabase(), findFreePort()])
const variables = {
	NODE_ENV: 'production',
	PUBLIC_URL: `http://127.0.0.1:${port}`,
	DATABASE_URL: database.url,
	DATA_DIR: await mkdtemp(join(tmpdir(), 'bench-')),
	SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
	UNKNOWN_AFTER,
	GRAPH_URL: simulator.url,
}
// A web server in this process prepares the accounts. It is not measured.
const env = readEnv({ ...variables, ROLE: 'http', PORT: '0' })
const preparing = await startProcess(env, createLog('silent'), { kind: 'production', hasPages: false })
env.PUBLIC_URL = preparing.url
const parts = { process: preparing, simulator: { control: connectSimulator(simulator.url) }, db: database.sql }
const school = await newSender(parts, PEOPLE)
const shop = await sendingAccount(parts, { contacts: OTHERS, balancePaise: OTHERS * 200, perSecond: OTHERS_PER_SECOND })
const numbers = await numbersOf(parts, school)
const server = await startProductProcess('http', { ...variables, PORT: String(port) })
const startWorker = () => startProductProcess('worker', { ...variables, PORT: '0' })
const killed = await startWorker()
const measured = { ...parts, process: { ...preparing, url: variables.PUBLIC_URL } }

const compared = new Set<string>()
const counts = { own: 0, failed: 0, other: 0, forgotten: 0 }
const alone = await otherCampaign()
const set = await timed(`upload of a zip with ${formatCount(PEOPLE)} files of ${FILE_BYTES / 1000} kB`, () =>
	upload(measured, school, filesOf()),
)
await match()
const startedAt = performance.now()
const campaignId = await timed('order', () => order(measured, school, { choice: byNumber(set) }))
const [beside] = await Promise.all([otherCampaign(), uploads()])
console.log(`other campaign  ${alone.toFixed(1)} s alone, ${beside.toFixed(1)} s beside the uploads: `)
console.log(`                ratio ${(alone / beside).toFixed(2)} (wanted: at least 0.95)`)
const peaks = [await peakMegabytes(killed.pid)]
process.kill(killed.pid, 'SIGKILL')
const worker = await startWorker()
const before = await throughOf(parts, school, campaignId)
await timed(`uploads after kill -9 of the worker, which had done ${before} of ${UPLOADS}`, sent)
const wrong = await countWrong()
peaks.push(await peakMegabytes(worker.pid))
console.log(`peak memory     web server: ${await peakMegabytes(server.pid)} MB, worker: ${Math.max(...peaks)} MB`)
console.log('                (wanted: less than 600)')

for (const part of [server, worker, preparing, simulator]) await part.stop()
await database.drop()
await rm(variables.DATA_DIR, { recursive: true, force: true })
process.exitCode = wrong > 0 ? 1 : 0

/** Yields the files of the zip: people in order of their numbers, first those without a file, with a bad one and with two. */
function* filesOf(): Generator<[string, Buffer]> {
	for (const [at, number] of numbers.entries()) {
		if (at < MISSING) continue
		if (at < MISSING + CORRUPT) yield [`bad ${number}.pdf`, Buffer.from('no document')]
		else yield [`report ${number}.pdf`, contentOf(number)]
		if (at >= MISSING + CORRUPT && at < MISSING + CORRUPT + DOUBTFUL) yield [`old ${number}.pdf`, pdf(`old ${number}`)]
	}
}

/** Returns a document that a zip makes no smaller, as is usual. */
function contentOf(number: string): Buffer {
	const noise = createHash('shake256', { outputLength: FILE_BYTES }).update(number).digest()
	return Buffer.concat([pdf(number), noise])
}

/** Prints how people are matched with files, and throws when the counts are not those of the zip. */
async function match(): Promise<void> {
	const body = {
		audienceType: 'all' as const,
		templateId: school.templateId,
		variables: { var1: 'you' },
		headerFiles: byNumber(set),
	}
	const { files } = await timed('matching (wanted: less than 30 s)', async () => {
		const answer = await call(variables.PUBLIC_URL, campaignPreflight.estimate, { body, token: school.token })
		return answer.body
	})
	const found = [files?.matched, files?.missing, files?.doubtful]
	const wanted = [PEOPLE - MISSING - CORRUPT - DOUBTFUL, MISSING + CORRUPT + DOUBTFUL, DOUBTFUL]
	if (found.join() !== wanted.join())
		throw new Error(`matched, missing, doubtful: ${found.join()}, not ${wanted.join()}`)
	console.log(`                matched ${found[0]}, without a file ${found[1]}, of them with several ${found[2]}`)
}

/** Waits until half of UPLOADS files are uploaded, and prints their pace. */
async function uploads(): Promise<void> {
	while ((await throughOf(parts, school, campaignId)) < UPLOADS / 2) {
		await compareFiles()
		await sleep(100)
	}
	const pace = (await throughOf(parts, school, campaignId)) / ((performance.now() - startedAt) / 1000)
	const share = (pace / UPLOADS_PER_SECOND).toFixed(2)
	console.log(
		`uploads         ${pace.toFixed(1)} a second, ${share} of the limit with the start (wanted: at least 0.90)`,
	)
}

/** Sends the other account's campaign. Returns the seconds from the order to the last message. */
async function otherCampaign(): Promise<number> {
	const began = performance.now()
	const id = await startCampaign(parts, shop)
	await campaignWhen(parts, { ...shop, campaignId: id }, ({ pending }) => pending === 0)
	return (performance.now() - began) / 1000
}

/** Waits until the people whose files are measured have got their messages. */
async function sent(): Promise<void> {
	while ((await compareFiles()) > 0) await sleep(500)
}

/**
 * Compares the files of the messages that were settled since the last call with the people's own: the simulator only keeps the
 * last few thousand messages. Returns how many messages are not settled.
 */
async function compareFiles(): Promise<number> {
	const rows = await parts.db<{ number: string; status: string }[]>`
		select number, status from campaign_messages
		where account_id = ${school.accountId} and campaign_id = ${campaignId} and seq <= ${UPLOADS}
	`
	const settled = rows.filter(({ status }) => status !== 'pending')
	for (const { number, status } of settled) {
		if (compared.has(number)) continue
		compared.add(number)
		const [document] = await documentsOf(parts, school, number)
		if (document === undefined) counts[status === 'failed' ? 'failed' : 'forgotten']++
		else counts[document === `${hashOf(contentOf(number))} report ${number}.pdf` ? 'own' : 'other']++
	}
	return rows.length - settled.length
}

/** Prints which files these people got. Returns how many got another one, one twice, or wrongly none. */
async function countWrong(): Promise<number> {
	const { own, failed, other, forgotten } = counts
	const twice = (await parts.simulator.control.counters()).duplicates.length
	console.log(`received files  ${own} own by hash, ${other} others', ${twice} twice, ${forgotten} forgotten,`)
	console.log(`                ${failed} not sent and refunded, since the killed worker may have sent them`)
	return other + twice + forgotten
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
	const began = performance.now()
	const result = await work()
	console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s        ${what}`)
	return result
}

async function peakMegabytes(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8')
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
