import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Linux counts processor time in hundredths of a second, independent of the kernel's own clock. */
const TICKS_PER_SECOND = 100

export interface RunningSimulator {
	url: string
	pid: number
	stop(): Promise<void>
}

/** Starts the simulator in a process of its own, so that it takes no time from the measured process. */
export async function startSimulatorProcess(): Promise<RunningSimulator> {
	const main = fileURLToPath(new URL('../../simulator/main.ts', import.meta.url))
	// The simulator keeps every message in memory: with a larger young generation V8 copies fewer of them.
	const child = spawn(process.execPath, ['--max-semi-space-size=64', main], {
		env: { ...process.env, PORT: '0' },
		stdio: ['ignore', 'pipe', 'inherit'],
	})
	const [line] = (await once(child.stdout, 'data')) as [Buffer]
	const { url } = JSON.parse(line.toString()) as { url: string }
	return {
		url,
		pid: child.pid ?? 0,
		async stop() {
			const exited = once(child, 'exit')
			child.kill()
			await exited
		},
	}
}

interface ProcessTimes {
	parent: number
	/** Seconds of processor time used by the process itself (`own`) and by its ended children (`ended`). */
	own: number
	ended: number
}

function timesOf(pid: number): ProcessTimes | null {
	try {
		// The program's name, in brackets, may contain spaces and brackets; the fields after the last bracket are numbers.
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
		const fields = text
			.slice(text.lastIndexOf(')') + 2)
			.split(' ')
			.map(Number)
		const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
		return {
			parent: fields[1] ?? 0,
			own: (user + system) / TICKS_PER_SECOND,
			ended: (endedUser + endedSystem) / TICKS_PER_SECOND,
		}
	} catch {
		return null
	}
}

/** Returns the seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
	return timesOf(pid)?.own ?? 0
}

/** Returns the seconds of processor time of a process and its children, such as PostgreSQL with its backends. */
export function cpuSecondsOfFamily(pid: number): number {
	const parent = timesOf(pid)
	if (!parent) return 0
	const others = readdirSync('/proc')
		.map(Number)
		.filter((each) => each > 0 && each !== pid)
	const children = others.map(timesOf).filter((times) => times?.parent === pid)
	return parent.own + parent.ended + children.reduce((sum, times) => sum + (times?.own ?? 0), 0)
}

export function parentOf(pid: number): number {
	return timesOf(pid)?.parent ?? 0
}

/** Returns the seconds of processor time that the whole machine has used. */
export function cpuSecondsOfMachine(): number {
	const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1).map(Number) ?? []
	const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = fields
	return (user + nice + system + interrupts + softInterrupts) / TICKS_PER_SECOND
}
