import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

const CHECK_INTERVAL_MS = 250
/** Number of failed checks after which a load balancer takes a server out. */
const MAX_FAILED = 3

interface Server {
	port: number
	failed: number
}

/** A load balancer for one address: it checks the readiness of each web server and connects to the first that is ready. */
export interface Front {
	url: string
	add(port: number): void
	/** Returns for how many milliseconds no server was ready. */
	unreadyMs(): number
	close(): void
}

export async function startFront(): Promise<Front> {
	const servers: Server[] = []
	const open = new Set<Socket>()
	let unreadyMs = 0
	const chosen = () => servers.find(({ failed }) => failed < MAX_FAILED)
	const server = createServer((client) => {
		const port = chosen()?.port
		if (port === undefined) return client.destroy()
		const upstream = connect(port, '127.0.0.1')
		for (const [one, other] of [
			[client, upstream],
			[upstream, client],
		] as const) {
			open.add(one)
			one.on('error', () => other.destroy())
			one.on('close', () => {
				open.delete(one)
				other.destroy()
			})
			one.pipe(other)
		}
		return undefined
	})
	const check = async () => {
		if (servers.length > 0 && !chosen()) unreadyMs += CHECK_INTERVAL_MS
		const checks = servers.map(async (each) => {
			const isReady = await fetch(`http://127.0.0.1:${each.port}/readyz`).then(
				(answer) => answer.ok,
				() => false,
			)
			each.failed = isReady ? 0 : each.failed + 1
		})
		await Promise.all(checks)
	}
	const timer = setInterval(() => void check(), CHECK_INTERVAL_MS)
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		add: (port) => void servers.push({ port, failed: MAX_FAILED }),
		unreadyMs: () => unreadyMs,
		close() {
			clearInterval(timer)
			server.close()
			for (const socket of open) socket.destroy()
		},
	}
}
