import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startChild } from '../child-process.ts'

const MAIN = fileURLToPath(new URL('../../scripts/serve.ts', import.meta.url))
/** Delay before a process that exited without a kill is restarted. */
const RESTART_MS = 500

export interface ProcessSettings {
	env: Record<string, string>
	/** File for the output; it is discarded by default. */
	logFile?: string
	/** Program to run; the product by default. */
	file?: string
}

/** One process of the product, which is restarted whenever it ends, as by a service manager. */
export class SupervisedProcess {
	/** Number of exits without a kill. */
	unplannedExits = 0
	readonly #settings: ProcessSettings
	#child: ChildProcess | null = null
	#timer: NodeJS.Timeout | null = null
	#isStopped = false

	constructor(settings: ProcessSettings) {
		this.#settings = settings
		this.#start()
	}

	get pid(): number | undefined {
		return this.#child?.pid
	}

	/** Sends SIGKILL and restarts the process after this delay; without a delay it is not restarted. */
	async kill(restartAfterMs?: number): Promise<void> {
		const child = this.#child
		if (this.#timer) clearTimeout(this.#timer)
		this.#child = null
		if (child && child.exitCode === null && child.signalCode === null) {
			child.kill('SIGKILL')
			await once(child, 'exit')
		}
		if (restartAfterMs !== undefined) this.#startAfter(restartAfterMs)
	}

	async stop(): Promise<void> {
		this.#isStopped = true
		await this.kill()
	}

	#startAfter(ms: number): void {
		this.#timer = setTimeout(() => this.#start(), ms)
	}

	#start(): void {
		if (this.#isStopped) return
		const { env, logFile, file = MAIN } = this.#settings
		const log = logFile === undefined ? 'ignore' : openSync(logFile, 'a')
		const child = startChild([file], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', log, log] })
		if (log !== 'ignore') closeSync(log)
		this.#child = child
		child.once('exit', () => {
			if (this.#child !== child) return
			this.unplannedExits++
			this.#startAfter(RESTART_MS)
		})
	}
}
