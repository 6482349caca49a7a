import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from '../child-process.ts'
import { findFreePort } from '../free-port.ts'
import { until } from '../until.ts'

const START_TIMEOUT_MS = 120_000

export interface Started {
	child: ChildProcess
	port: number
	logFile: string
	/** Resolves when the process is ready. Rejects with the end of its log if it exits or two minutes pass first. */
	ready: Promise<void>
}

/** Starts one process of the release in `folder` on a free port. Appends its stdout and stderr to `logFile`. */
export async function startRelease(folder: string, env: NodeJS.ProcessEnv, logFile: string): Promise<Started> {
	const port = await findFreePort()
	const output = openSync(logFile, 'a')
	const child = startChild([join(folder, 'scripts', 'serve.ts')], {
		env: { ...env, PORT: String(port) },
		stdio: ['ignore', output, output],
	})
	const ready = untilReady(`http://127.0.0.1:${port}/readyz`, () => child.exitCode === null).catch(async () => {
		throw new Error(`a process of ${folder} did not become ready:\n${(await readFile(logFile, 'utf8')).slice(-4000)}`)
	})
	return { child, port, logFile, ready }
}

/** Ends a process by SIGTERM. Returns its exit code; null if it had ended before, or the signal ended it. */
export async function endByTerm({ child }: Started): Promise<number | null> {
	if (child.exitCode !== null || child.signalCode !== null) return null
	child.kill('SIGTERM')
	await once(child, 'exit')
	return child.exitCode
}

/** Waits until `url` answers with success. Rejects after two minutes, or when the process has ended. */
export async function untilReady(url: string, isAlive = () => true): Promise<void> {
	const answers = () =>
		fetch(url).then(
			({ ok }) => ok,
			() => false,
		)
	await until(async () => !isAlive() || (await answers()), START_TIMEOUT_MS, 100)
	if (!isAlive()) throw new Error('it has ended')
}
