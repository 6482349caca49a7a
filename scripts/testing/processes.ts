import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '#lib/durations.ts'

/** Limits of the work of a process. A process that exceeds one is ended, and the processes that still run are named. */
export interface Limits {
	/** Maximum time. */
	maxMs?: number
	/** Maximum time between two outputs; by default unlimited, because checks print at their end. */
	maxSilentMs?: number
}

export interface Script {
	args: string[]
	env?: Record<string, string>
	/** True to open a channel for messages. */
	hasChannel?: boolean
}

export interface Ended {
	ok: boolean
	output: string
}

export interface RunningScript {
	child: ChildProcess
	ended: Promise<Ended>
	/** Starts the limits anew for the next work. Without `work` the process waits, and has no limits. */
	limit(work?: string): void
}

/** Maximum time of a script, and of a file that runs in turn with others. */
export const MAX_STEP_MS = 40 * MINUTE_MS
/** Time after the end of a process in which its children may close its output. */
const CLOSE_MS = 5000

const children = new Set<ChildProcess>()

/** Starts a script with this Node in a process group of its own. */
export function start(script: Script, { maxMs = MAX_STEP_MS, maxSilentMs = maxMs }: Limits = {}): RunningScript {
	const child = spawn(process.execPath, script.args, {
		env: { ...process.env, FORCE_COLOR: '0', ...script.env },
		stdio: ['ignore', 'pipe', 'pipe', script.hasChannel ? 'ipc' : 'ignore'],
		detached: true,
	})
	children.add(child)
	let output = ''
	let timers: NodeJS.Timeout[] = []
	let work: string | undefined
	const end = (reason: string) => {
		output += `\n${reason} Still running:\n${work ? `${work}\n` : ''}${runningIn(child.pid ?? 0)}\n`
		endGroup(child, 'SIGKILL')
	}
	const limit = (next?: string, isWorking = next !== undefined) => {
		for (const timer of timers) clearTimeout(timer)
		work = next
		const silence = () => end(`No progress for ${maxSilentMs / 1000} s.`)
		const over = () => end(`Not finished after ${maxMs / 1000} s.`)
		timers = isWorking ? [setTimeout(silence, maxSilentMs), setTimeout(over, maxMs)] : []
	}
	limit(undefined, true)
	const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
	const outputEnds = streams.map((stream) => {
		stream.on('data', (text: Buffer) => {
			output += text.toString()
			timers[0]?.refresh()
		})
		return once(stream, 'end')
	})
	const ended = (async (): Promise<Ended> => {
		const [code] = (await once(child, 'exit')) as [number | null]
		clearTimeout(timers[0])
		// A browser that outlives the process would keep its output open.
		await Promise.race([Promise.all(outputEnds), sleep(CLOSE_MS, undefined, { ref: false })])
		children.delete(child)
		limit()
		return { ok: code === 0, output }
	})()
	return { child, ended, limit }
}

/** Runs a script to its end. */
export function run(script: Script, limits?: Limits): Promise<Ended> {
	return start(script, limits).ended
}

/** Ends all scripts that run, with their children. */
export function stopScripts(): void {
	for (const child of children) endGroup(child, 'SIGTERM')
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals) {
	try {
		if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, signal)
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
	}
}

/** Returns the commands of a process group: of a test run, the runner and the files that have not ended. */
function runningIn(group: number): string {
	const { stdout } = spawnSync('ps', ['-A', '-o', 'pgid=,args='], { encoding: 'utf8' })
	const own = (stdout ?? '').split('\n').filter((line) => Number.parseInt(line, 10) === group)
	return own.join('\n') || '(not known on this system)'
}
