import type { Socket } from 'node:net'
import { resetConnection } from '#simulator/http/reset-connection.ts'
import { PostgresSession } from './postgres-session.ts'

export type Direction = 'to-server' | 'to-client' | 'both'

export interface ProxyConnection {
	readonly id: number
	/** `application_name` of a PostgreSQL client. */
	readonly applicationName: string
	/** Statements since the session was last idle outside a transaction: those of the open transaction, if there is one. */
	readonly statements: readonly string[]
	/** Transaction status that the server last reported. */
	readonly isInTransaction: boolean
	readonly isSilent: boolean
}

export interface LossOptions {
	/** Fate of the connection after the loss; silence by default. */
	ending?: 'cut' | 'silence'
	/** Selects connections. `statements` ends with the statement to lose at the time of the call. */
	where?: (connection: ProxyConnection) => boolean
	/** Number of losses; 1 by default. */
	times?: number
}

/** Messages to lose, and the number of losses that are left. */
export interface Rule {
	text: string
	loses: 'request' | 'reply'
	options: LossOptions
	left: number
	lost(connection: Connection): void
}

interface Ends {
	client: Socket
	server: Socket
	rules: Set<Rule>
}

/** A client and its connection to the server. */
export class Connection implements ProxyConnection {
	readonly id: number
	closed: () => void = () => {}
	readonly #client: Socket
	readonly #server: Socket
	readonly #rules: Set<Rule>
	readonly #session = new PostgresSession()
	readonly #silent = { 'to-server': false, 'to-client': false }
	/** Reply that is being withheld, and the number of "ready for query" messages for earlier statements. */
	#withheld: { rule: Rule; readyBefore: number } | null = null
	#hasLost = false

	constructor(id: number, { client, server, rules }: Ends) {
		this.id = id
		this.#client = client
		this.#server = server
		this.#rules = rules
		client.on('data', (chunk: Buffer) => this.#fromClient(chunk))
		server.on('data', (chunk: Buffer) => this.#fromServer(chunk))
		this.#joinEnds(client, server)
		this.#joinEnds(server, client)
	}

	get applicationName(): string {
		return this.#session.applicationName
	}

	get statements(): readonly string[] {
		return this.#session.statements
	}

	get isInTransaction(): boolean {
		return this.#session.isInTransaction
	}

	get isSilent(): boolean {
		return this.#silent['to-server'] || this.#silent['to-client']
	}

	cut(): void {
		for (const socket of [this.#client, this.#server]) {
			if (socket.connecting) socket.destroy()
			else resetConnection(socket)
		}
		this.closed()
	}

	silence(direction: Direction): void {
		if (direction !== 'to-client') this.#silent['to-server'] = true
		if (direction !== 'to-server') this.#silent['to-client'] = true
		this.#flow()
	}

	resume(): void {
		if (this.#hasLost) return
		this.#silent['to-server'] = this.#silent['to-client'] = false
		this.#flow()
	}

	// Forwards or stops both directions. A paused socket reports neither data nor its end, so that both wait in the system's
	// buffers.
	#flow(): void {
		const directions = [
			{ from: this.#client, to: this.#server, isSilent: this.#silent['to-server'] },
			{ from: this.#server, to: this.#client, isSilent: this.#silent['to-client'] },
		]
		for (const { from, to, isSilent } of directions) {
			if (isSilent || to.writableNeedDrain) from.pause()
			else from.resume()
		}
	}

	#forward(to: Socket, chunk: Buffer): void {
		if (chunk.length === 0 || !to.writable) return
		if (to.write(chunk)) return
		to.once('drain', () => this.#flow())
		this.#flow()
	}

	#joinEnds(from: Socket, to: Socket): void {
		from.on('end', () => to.end())
		from.on('error', () => this.cut())
		from.on('close', () => {
			if (to.destroyed) this.closed()
		})
	}

	#fromClient(chunk: Buffer): void {
		let forwarded = chunk.length
		let lostRequest: Rule | undefined
		this.#session.readClient(chunk, (text, start) => {
			if (lostRequest || this.#withheld) return
			const rule = this.#takeRule(text)
			if (rule?.loses === 'reply') this.#withheld = { rule, readyBefore: this.#session.outstanding }
			if (rule?.loses !== 'request') return
			lostRequest = rule
			forwarded = start
		})
		this.#forward(this.#server, chunk.subarray(0, forwarded))
		if (lostRequest) this.#lose(lostRequest)
	}

	#fromServer(chunk: Buffer): void {
		let forwarded = this.#withheld?.readyBefore === 0 ? 0 : chunk.length
		let isExecuted = false
		this.#session.readServer(chunk, (end) => {
			if (!this.#withheld) return
			if (this.#withheld.readyBefore === 0) isExecuted = true
			else if (--this.#withheld.readyBefore === 0) forwarded = end
		})
		this.#forward(this.#client, chunk.subarray(0, forwarded))
		if (isExecuted && this.#withheld) this.#lose(this.#withheld.rule)
	}

	#takeRule(text: string): Rule | undefined {
		const lowered = text.toLowerCase()
		const rule = [...this.#rules].find(
			(each) => lowered.includes(each.text) && (each.options.where === undefined || each.options.where(this)),
		)
		if (rule && --rule.left <= 0) this.#rules.delete(rule)
		return rule
	}

	#lose(rule: Rule): void {
		this.#hasLost = true
		if (rule.options.ending === 'cut') this.cut()
		else this.silence('both')
		rule.lost(this)
	}
}
