import { once } from 'node:events'
import { styleText } from 'node:util'
import { MAX_SILENT_MS, readRun, testArgs, type TestRun } from './node-tests.ts'
import { start, type Limits } from './processes.ts'
import type { Queue } from './queue.ts'

/** Variable that is set in a process that runs files in turn, whose browser stays for the next file. */
export const IN_TURN_VARIABLE = 'TEST_FILES_IN_TURN'
/** Message to a process: the path of its next file. It sends a `FileEnd` when the file has ended. */
export interface NextFile {
	file: string
}
export interface FileEnd {
	/** Memory that the process holds, in bytes. */
	bytes: number
}

const IN_TURN = 'scripts/testing/in-turn.ts'
/** Files and memory after which a process is replaced: what files leave behind in their process is bounded. */
const MAX_FILES = 80
const MAX_BYTES = 1.5e9

export interface InTurnOptions {
	flags: string[]
	env: Record<string, string>
	queue: Queue
	/** True to run before everything that waits in the queue. */
	isFirst: boolean
	limits?: Limits
}

interface FileProcess {
	/** Runs a file. Resolves when its tests have ended. */
	run(file: string): Promise<void>
	/** Returns false when the process must not run another file. */
	isFit(): boolean
	end(): void
	ended: Promise<TestRun>
}

/**
 * Runs each file as a task of the queue, in a process that has ended its last file and has loaded the product already. A file
 * that ends its process fails, and is named.
 */
export async function runInTurn(files: string[], { queue, isFirst, ...options }: InTurnOptions): Promise<TestRun[]> {
	const idle: FileProcess[] = []
	const runs: Promise<TestRun>[] = []
	const begin = () => {
		const process = startFileProcess(options)
		runs.push(process.ended)
		return process
	}
	const tasks = files.map((file) => async () => {
		let process = idle.pop()
		while (process && !process.isFit()) process = idle.pop()
		process ??= begin()
		await process.run(file)
		if (process.isFit()) idle.push(process)
		else process.end()
	})
	await queue.run(tasks, { isFirst })
	for (const process of idle) process.end()
	return Promise.all(runs)
}

function startFileProcess({ flags, env, limits }: Pick<InTurnOptions, 'flags' | 'env' | 'limits'>): FileProcess {
	// A connection or a browser that a file leaves open would keep the process, and so the run, from ending.
	const args = testArgs([IN_TURN], [...flags, '--test-isolation=none', '--test-force-exit'])
	const script = { args, env: { ...env, [IN_TURN_VARIABLE]: '1' }, hasChannel: true }
	const { child, ended, limit } = start(script, { maxSilentMs: MAX_SILENT_MS, ...limits })
	let [files, bytes] = [0, 0]
	let last = ''
	let state: 'waits' | 'runs' | 'ends' = 'waits'
	return {
		async run(file) {
			;[last, state] = [file, 'runs']
			limit(file)
			const end = once(child, 'message')
			child.send({ file } satisfies NextFile, () => {})
			const message = await Promise.race([end, ended])
			if (!Array.isArray(message)) return
			limit()
			;[files, bytes, state] = [files + 1, (message[0] as FileEnd).bytes, 'waits']
		},
		isFit: () => child.connected && files < MAX_FILES && bytes < MAX_BYTES,
		end() {
			if (!child.connected) return
			state = 'ends'
			limit(`the end of the process after ${last}`)
			child.disconnect()
		},
		ended: ended.then(({ ok, output }) => {
			if (state === 'ends') return readRun({ ok, output })
			const place = state === 'runs' ? 'in' : 'after'
			return readRun({ ok: false, output: `${styleText('red', '✗')} The process ended ${place} ${last}\n${output}` })
		}),
	}
}
