import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startChild } from '../child-process.ts'

const MAIN = fileURLToPath(new URL('../../scripts/serve.ts', import.meta.url))
/** Delay before a process that ended by itself is started again. */
const RESTART_MS = 500

export interface ProcessSettings {
	env: Record<string, string>
	/** Where its output goes; nowhere unless said. */
	logFile?: string
	/** What is run; the product unless said otherwise. */
	file?: string
}

/** One process of the product, which is started again whenever it ends, as a service manager does. */
export class SupervisedProcess {
	/** How often it ended without having been killed. */
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

	/** Sends SIGKILL and restarts the process after this delay; without one it is not restarted. */
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
