import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const STOP_TIMEOUT_MS = 15_000
/** Pino's level of warnings; errors have higher ones. */
const WARN = 40

export interface ProductProcess {
	role: string
	pid: number
	/** Number of occurrences of each warning and error in the log. */
	complaints: Map<string, number>
	stop(): Promise<void>
}

/** Starts the product's own program with these variables and waits until it is ready. */
export async function startProductProcess(role: string, variables: Record<string, string>): Promise<ProductProcess> {
	const main = fileURLToPath(new URL('../../scripts/serve.ts', import.meta.url))
	const child = spawn(process.execPath, [main], {
		env: { ...process.env, ...variables, ROLE: role, LOG_LEVEL: 'info' },
		stdio: ['ignore', 'pipe', 'inherit'],
	})
	const complaints = new Map<string, number>()
	const lines = createInterface(child.stdout)
	const ready = new Promise<void>((resolve, reject) => {
		child.once('exit', (code) => reject(new Error(`the product (${role}) ended with ${code}`)))
		lines.on('line', (text) => {
			const { level, msg } = parseLine(text)
			if (msg === 'ready') resolve()
			if (level >= WARN) complaints.set(msg, (complaints.get(msg) ?? 0) + 1)
		})
	})
	await ready
	return {
		role,
		pid: child.pid ?? 0,
		complaints,
		async stop() {
			const exited = once(child, 'exit')
			child.kill('SIGTERM')
			const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
			await exited
			clearTimeout(deadline)
		},
	}
}

function parseLine(text: string): { level: number; msg: string } {
	try {
		const { level = 0, msg = '' } = JSON.parse(text) as { level?: number; msg?: string }
		return { level, msg }
	} catch {
		return { level: WARN, msg: text }
	}
}
