import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Starts a route in a process of its own that checks a signature over the body and parses it: the minimum work of a server. */
export async function startBareRoute(secret: string): Promise<{ url: string; stop(): Promise<void> }> {
	const main = fileURLToPath(new URL('webhooks-bare.ts', import.meta.url))
	const env = { ...process.env, BENCH_SECRET: secret }
	const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
	const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
	return {
		url,
		async stop() {
			const exited = once(child, 'exit')
			child.kill()
			await exited
		},
	}
}
