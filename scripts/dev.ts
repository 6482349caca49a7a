// `npm run dev`: serves the web app from its sources with hot reload, in front of the demo's server and worker, which restart
// when one of their files or a migration changes. `--inspect` lets a debugger attach to them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createLogger, createServer } from 'vite'
import { withConfig } from '#app/server/web-app.ts'
import { findFreePort } from '#test/free-port.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
// Loopback only, because the demo's passwords are public.
const HOST = '127.0.0.1'
/** Delay before a restart, so that an editor that saves many files causes only one. */
const QUIET_MS = 100

const { values } = parseArgs({ options: { inspect: { type: 'boolean' } } })
const port = Number(process.env.PORT || 3000)
const apiPort = await findFreePort()
const api = { target: `http://${HOST}:${apiPort}` }

const logger = createLogger('warn')
const { error } = logger
// While the server restarts, the requests of open pages fail; these errors are not logged.
logger.error = (text, options) => text.includes('http proxy error') || error(text, options)

const vite = await createServer({
	root: ROOT,
	clearScreen: false,
	customLogger: logger,
	server: {
		host: HOST,
		port,
		strictPort: true,
		// The simulator's webhooks arrive at this address too, as Meta's do in production.
		proxy: { '/api': api, '/readyz': api, '/metrics': api },
		watch: { ignored: ['**/.data/**', '**/dist/**'] },
	},
	plugins: [
		{
			name: 'app-config',
			transformIndexHtml: (page) =>
				withConfig(page, {
					simulator: true,
					// The address of the phones' page changes with every start of the server, which prints it.
					phonesUrl: null,
					landing: process.env.LANDING === 'page' ? 'page' : 'redirect',
					supportContact: process.env.SUPPORT_CONTACT || null,
					// Without Razorpay's keys the demo pays at the simulator.
					addMoney: true,
				}),
		},
	],
})
await vite.listen()

let server: ChildProcess | undefined
let turn = start()
let timer: NodeJS.Timeout | undefined

async function start(): Promise<void> {
	const flags = values.inspect ? ['--inspect'] : []
	server = spawn(process.execPath, [...flags, 'scripts/start.ts', '--without-pages'], {
		cwd: ROOT,
		env: {
			PUBLIC_URL: `http://${HOST}:${port}`,
			...process.env,
			HOST,
			PORT: String(apiPort),
		},
		stdio: 'inherit',
	})
}

/** Stops the server. A server that crashed because of a fault in the code is started by the next change. */
async function stop(): Promise<void> {
	if (!server || server.exitCode !== null || server.signalCode !== null) return
	const ended = once(server, 'exit')
	server.kill()
	await ended
}

vite.watcher.on('all', (_, file) => {
	const path = relative(ROOT, file)
	if (!/^(?:src|simulator|embedded|db|scripts\/demo)\b/.test(path) || /\/web\/|\.test\.tsx?$/.test(path)) return
	clearTimeout(timer)
	timer = setTimeout(() => {
		console.log(`${path} has changed: the server starts again …`)
		turn = turn.then(stop).then(start)
	}, QUIET_MS)
})

async function end(): Promise<void> {
	clearTimeout(timer)
	await turn
	await stop()
	await vite.close()
	process.exit(0)
}
process.once('SIGINT', () => void end()).once('SIGTERM', () => void end())
