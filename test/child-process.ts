import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { START_TIMEOUT_MS } from './until.ts'

const END_WITH_PARENT = new URL('end-with-parent.ts', import.meta.url).href
const PRODUCT = fileURLToPath(new URL('../scripts/serve.ts', import.meta.url))

const children = new Set<ChildProcess>()
process.once('exit', endChildren)
// A child that keeps running would keep the process of a test file from ending.
if (process.env.NODE_TEST_CONTEXT) (await import('node:test')).after(endChildren)

/**
 * Runs Node as a child in a process group of its own. The whole group is killed when the tests of this file have ended or this
 * process ends in any way.
 */
export function startChild(
	args: string[],
	{
		env,
		stdio = ['ignore', 'ignore', 'ignore'],
	}: { env?: NodeJS.ProcessEnv; stdio?: readonly ('ignore' | 'pipe' | 'inherit' | number)[] } = {},
): ChildProcess {
	const child = spawn(process.execPath, [`--import=${END_WITH_PARENT}`, ...args], {
		env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...(env ?? process.env) },
		stdio: [...stdio, 'ipc'],
		detached: true,
	})
	child.channel?.unref()
	children.add(child)
	child.once('exit', () => children.delete(child))
	return child
}

/**
 * Starts the product as a child, and resolves when it answers at `url`. Kills it and throws if it exits or does not
 * answer within START_TIMEOUT_MS.
 */
export async function startProductChild(env: NodeJS.ProcessEnv, url = env.PUBLIC_URL): Promise<ChildProcess> {
	const child = startChild([PRODUCT], { env: { PATH: process.env.PATH, ...env } })
	const deadline = performance.now() + START_TIMEOUT_MS
	while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
		const isReady = await fetch(`${url}/readyz`).then(
			(answer) => answer.ok,
			() => false,
		)
		if (isReady) return child
		await sleep(25)
	}
	endGroup(child)
	throw new Error('the product did not start')
}

/** Kills the processes that the tests have left running. */
export function endChildren(): void {
	for (const child of children) endGroup(child)
}

function endGroup({ pid }: ChildProcess): void {
	if (pid !== undefined) signalProcess(-pid, 'SIGKILL')
}

/** Signals a process, or a process group by its negative id. Ignores a process that has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal)
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
	}
}
