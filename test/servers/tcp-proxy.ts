import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import {
	Connection,
	type Direction,
	type LossOptions,
	type ProxyConnection,
	type Rule,
} from './tcp-proxy-connection.ts'

/** All connections, one at random, or those for which the predicate holds. */
export type Selection = 'all' | 'random' | ((connection: ProxyConnection) => boolean)

export interface Loss {
	/** Resolves after the first loss: for a reply, when the server has executed the statement. */
	happened: Promise<ProxyConnection>
	readonly count: number
	cancel(): void
}

export interface TcpProxy {
	port: number
	/** Returns the URL of the server with the proxy's address. */
	url(serverUrl: string): string
	readonly connections: readonly ProxyConnection[]
	/** Resets connections on both sides. Returns their number. */
	cut(which?: Selection): number
	/**
	 * Stops forwarding data and ends, and keeps both sockets open, as a broken network does. Returns the number of affected
	 * connections.
	 */
	silence(which?: Selection, direction?: Direction): number
	/** Forwards the withheld data and continues. Not for connections that lost a message. */
	resume(which?: Selection): void
	/**
	 * Resets every connection and each new one, as at a port where nothing listens; `false` accepts connections again.
	 */
	refuse(isRefusing: boolean): void
	/** Lets the server execute a statement that contains `text` (in any case), and withholds the answer from the client. */
	dropReplyTo(text: string, options?: LossOptions): Loss
	/** Withholds a statement that contains `text` from the server. */
	dropRequest(text: string, options?: LossOptions): Loss
	close(): Promise<void>
}

export interface TcpProxyOptions {
	host?: string
	port: number
	/** Random numbers for the selection 'random'. */
	random?: () => number
}

/** Starts a proxy to one server in this process. Its connections can be broken in the ways in which networks break them. */
export async function startTcpProxy({
	host = '127.0.0.1',
	port,
	random = Math.random,
}: TcpProxyOptions): Promise<TcpProxy> {
	const open = new Set<Connection>()
	const rules = new Set<Rule>()
	let made = 0
	let isRefusing = false
	const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
		if (isRefusing) {
			client.resetAndDestroy()
			return
		}
		const upstream = connect({ host, port, allowHalfOpen: true, noDelay: true })
		const connection = new Connection(++made, { client, server: upstream, rules })
		open.add(connection)
		connection.closed = () => open.delete(connection)
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const address = server.address()
	if (typeof address !== 'object' || !address) throw new Error('the proxy has no port')
	const select = (which: Selection): Connection[] => {
		const all = [...open]
		if (which === 'all') return all
		if (which === 'random') return all.length === 0 ? [] : all.splice(Math.floor(random() * all.length), 1)
		return all.filter(which)
	}
	const forEach = (which: Selection, act: (connection: Connection) => void): number => {
		const chosen = select(which)
		for (const connection of chosen) act(connection)
		return chosen.length
	}
	return {
		port: address.port,
		url: (serverUrl) => throughProxy(serverUrl, address.port),
		get connections() {
			return [...open]
		},
		cut: (which = 'all') => forEach(which, (connection) => connection.cut()),
		silence: (which = 'all', direction = 'both') => forEach(which, (connection) => connection.silence(direction)),
		resume: (which = 'all') => void forEach(which, (connection) => connection.resume()),
		refuse(isSo) {
			isRefusing = isSo
			if (isSo) forEach('all', (connection) => connection.cut())
		},
		dropReplyTo: (text, options = {}) => addRule(rules, { text, loses: 'reply', options }),
		dropRequest: (text, options = {}) => addRule(rules, { text, loses: 'request', options }),
		async close() {
			const closed = new Promise((resolve) => server.close(resolve))
			forEach('all', (connection) => connection.cut())
			await closed
		},
	}
}

function throughProxy(serverUrl: string, port: number): string {
	const url = new URL(serverUrl)
	url.hostname = '127.0.0.1'
	url.port = String(port)
	return url.href
}

function addRule(rules: Set<Rule>, { text, loses, options }: Pick<Rule, 'text' | 'loses' | 'options'>): Loss {
	const { promise, resolve } = Promise.withResolvers<ProxyConnection>()
	let count = 0
	const lost = (connection: Connection) => {
		count++
		resolve(connection)
	}
	const rule: Rule = { text: text.toLowerCase(), loses, options, left: options.times ?? 1, lost }
	rules.add(rule)
	return {
		happened: promise,
		get count() {
			return count
		},
		cancel: () => void rules.delete(rule),
	}
}
