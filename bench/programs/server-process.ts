import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
	url: string
	/** Returns the maximum memory in MB since the last call. */
	takePeakMb(): number
	stop(): Promise<void>
}

/** Starts the product's HTTP side in a process of its own, so that its memory can be measured. */
export async function startServerProcess(databaseUrl: string): Promise<ServerProcess> {
	const main = fileURLToPath(new URL('contacts-server.ts', import.meta.url))
	const child = spawn(process.execPath, [main], {
		env: { ...process.env, BENCH_DATABASE_URL: databaseUrl },
		stdio: ['ignore', 'pipe', 'inherit'],
	})
	// The process is ended after an error of the benchmark too.
	process.once('exit', () => child.kill())
	const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
	return {
		url,
		takePeakMb() {
			const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
			// Writing 5 resets the kernel's peak.
			writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
			return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
		},
		async stop() {
			const exited = once(child, 'exit')
			child.kill('SIGTERM')
			await exited
		},
	}
}
