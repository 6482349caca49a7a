import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { createLog } from '#lib/server/log.ts'
import { measure, resultOf } from '../drill/outcome.ts'
import type { DrillResult } from '../drill/scenario.ts'
import { findFreePort } from '../free-port.ts'
import { sendingAccount } from '../full-stack.ts'
import { START_TIMEOUT_MS, until } from '../until.ts'
import { CUSTOMER_PREFIX, runClient, type ClientCounts } from './clients.ts'
import { startDeployment, type Deployment } from './deployment.ts'
import { causeEvent } from './events.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { Random } from './random.ts'
import { SupervisedProcess } from './supervised-process.ts'

const KILL_INTERVAL_MS = 20_000
const SAMPLE_INTERVAL_MS = 5000
/** Share of the run during which caches and compiled code fill up. */
const WARM_UP = 1 / 3
/** Maximum growth between the first and the last samples after the warm-up, as a share. */
const MAX_GROWTH = 0.15
const PER_SECOND = 40

export interface MixedSoak extends DrillResult {
	counts: ClientCounts
	/** Medians in MB of each process that was never killed: after the warm-up, and at the end. */
	memory: Record<string, [number, number]>
}

/**
 * Lets accounts import contacts, send campaigns, chat and export concurrently for minutes, while a worker or a web server is
 * killed every 20 seconds. Returns the result of the drill and the memory of the processes that were not killed.
 */
export async function runMixedSoak(given: {
	minutes: number
	accounts: number
	log(line: string): void
}): Promise<MixedSoak> {
	const random = new Random(String(Date.now()))
	const deployment = await startDeployment({ ...DEFAULT_OPTIONS, seed: '', log: given.log }, random)
	const spared = await startSpared(deployment)
	try {
		const { db, simulator } = deployment
		const senders = await prepareSenders(deployment, given.accounts)
		const counts: ClientCounts = { answered: {}, repeated: 0, errors: [] }
		const endsAt = performance.now() + given.minutes * MINUTE_MS
		const signal = AbortSignal.timeout(Math.max(0, Math.ceil(endsAt - performance.now())))
		const url = (index: number) => (index % 2 === 0 ? (deployment.env.PUBLIC_URL ?? '') : spared.url)
		const clients = senders.map((sender, index) => runClient({ url: url(index), simulator, sender, counts }, signal))
		const samples = sampleMemory({ web: spared.process, worker: deployment.workers[0] }, signal)
		const kills = await killInTurn(deployment, random, signal)
		await Promise.all(clients)
		const memory = await samples
		given.log(`${kills} processes were killed; waiting for the campaigns`)
		// Customers of chats legitimately get more than one message.
		const receivedCounts = async () =>
			Object.fromEntries(
				Object.entries(await simulator.receivedCounts()).filter(([number]) => !number.startsWith(CUSTOMER_PREFIX)),
			)
		const result = resultOf(await measure({ db, simulator: { control: { ...simulator, receivedCounts } } }))
		const grown = Object.values(memory).filter(([first, last]) => last > first * (1 + MAX_GROWTH))
		const unplanned = [spared.process, deployment.http, ...deployment.workers].map((each) => each.unplannedExits)
		return {
			...result,
			others: {
				'errors that clients saw': counts.errors.length,
				'processes that ended by themselves': unplanned.reduce((sum, each) => sum + each, 0),
				'processes whose memory grew': grown.length,
			},
			counts,
			memory,
		}
	} finally {
		await spared.process.stop()
		await deployment.stop()
	}
}

/** Starts a second web server, which is never killed. */
async function startSpared({ env, dir }: Deployment): Promise<{ process: SupervisedProcess; url: string }> {
	const port = String(await findFreePort())
	const url = `http://127.0.0.1:${port}`
	const process = new SupervisedProcess({
		env: { ...env, ROLE: 'http', PORT: port },
		logFile: join(dir, 'http-spared.log'),
	})
	const isReady = () =>
		fetch(`${url}/readyz`).then(
			({ ok }) => ok,
			() => false,
		)
	await until(isReady, START_TIMEOUT_MS, 100)
	return { process, url }
}

async function prepareSenders({ env, databaseUrl, simulator }: Deployment, accounts: number) {
	await simulator.setStatusPlan({ sentMs: 100, deliveredMs: 400, readMs: 1000, readRate: 0.5, failRate: 0 })
	const settings = readEnv({ ...env, ROLE: 'http', PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' })
	settings.PUBLIC_URL = env.PUBLIC_URL ?? ''
	const process = await startProcess(settings, createLog('silent'), { kind: 'production' })
	try {
		const senders: Awaited<ReturnType<typeof sendingAccount>>[] = []
		const account = { contacts: 1, perSecond: PER_SECOND, balancePaise: 100_000_000 }
		for (let left = accounts; left > 0; left--)
			senders.push(await sendingAccount({ process, simulator: { control: simulator } }, account))
		return senders
	} finally {
		await process.stop()
	}
}

/**
 * Kills workers and web servers in turn, except the first worker and the spared web server, whose memory is measured. Returns
 * the number of kills.
 */
async function killInTurn(deployment: Deployment, random: Random, signal: AbortSignal): Promise<number> {
	const killed = { ...deployment, workers: deployment.workers.slice(1) }
	let kills = 0
	let nextAt = performance.now() + KILL_INTERVAL_MS
	while (!signal.aborted) {
		await sleep(100)
		if (performance.now() < nextAt) continue
		nextAt += KILL_INTERVAL_MS
		await causeEvent(kills++ % 2 === 0 ? 'kill -9 http' : 'kill -9 a worker', killed, random)
	}
	return kills
}

async function sampleMemory(
	processes: Record<string, SupervisedProcess | undefined>,
	signal: AbortSignal,
): Promise<MixedSoak['memory']> {
	const samples = new Map<string, number[]>(Object.keys(processes).map((name) => [name, []]))
	while (!signal.aborted) {
		for (const [name, each] of Object.entries(processes)) samples.get(name)?.push(residentMb(each?.pid))
		await sleep(SAMPLE_INTERVAL_MS)
	}
	return Object.fromEntries(
		[...samples].map(([name, all]) => {
			const warm = all.slice(Math.floor(all.length * WARM_UP))
			const third = Math.max(1, Math.floor(warm.length / 3))
			return [name, [median(warm.slice(0, third)), median(warm.slice(-third))]]
		}),
	)
}

function residentMb(pid: number | undefined): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8')
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
