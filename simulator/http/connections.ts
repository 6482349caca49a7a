import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionFault, Faults } from '../network/faults.ts'
import type { Answer } from './answer.ts'
import { resetConnection } from './reset-connection.ts'

/** Delay between an interim answer and the final one, so that they arrive in separate packets. */
const INTERIM_MS = 5

type Break = Extract<ConnectionFault, { kind: 'break' }>

/** Tracks the open connections below TLS and applies connection faults to them. */
export class Connections {
	readonly #faults: Faults
	readonly #open = new Map<number | undefined, Socket>()
	readonly #silent = new WeakSet<Socket>()

	constructor(faults: Faults) {
		this.#faults = faults
	}

	opened(socket: Socket): void {
		const { remotePort } = socket
		this.#open.set(remotePort, socket)
		// The server may write to a connection after a fault broke it; the error of that write is expected.
		socket.on('error', () => {})
		socket.once('close', () => this.#open.delete(remotePort))
	}

	closeAll(): void {
		for (const socket of this.#open.values()) socket.destroy()
	}

	/** Returns true if a fault silenced the request's connection. Requests on it are not read. */
	isSilent({ socket }: IncomingMessage): boolean {
		const connection = this.#open.get(socket.remotePort)
		return connection !== undefined && this.#silent.has(connection)
	}

	/** Breaks the connection of a request if a fault asks for it. Returns true if it broke the connection. */
	breakAfterHeaders(request: IncomingMessage, call: { name: string; phoneNumberId: string | null }): boolean {
		const fault = this.#faults.takeAfterHeaders(call).find((each) => each.kind === 'break')
		if (fault) this.#break(request, fault)
		return fault !== undefined
	}

	send(response: ServerResponse, answer: Answer): void {
		const { connectionFaults = [] } = answer
		if (connectionFaults.length === 0) write(response, answer)
		else void this.#sendHarmed(response, answer, connectionFaults)
	}

	async #sendHarmed(response: ServerResponse, answer: Answer, faults: readonly ConnectionFault[]): Promise<void> {
		for (const fault of faults) {
			if (fault.kind !== 'interim') continue
			this.#faults.countApplied(fault)
			if (fault.status === 100) response.writeContinue()
			else response.writeEarlyHints({ link: '</photo.jpg>; rel=preload' })
			await sleep(INTERIM_MS)
		}
		for (const fault of faults) if (fault.kind === 'retire') this.#retire(response, fault)
		const fault = faults.find((each) => each.kind === 'break')
		const breakUp = () => fault && this.#break(response.req, fault)
		if (fault?.after === 'request') breakUp()
		else if (fault?.after === 'half the answer') writeHalf(response, answer, breakUp)
		else write(response, answer, breakUp)
	}

	#retire(response: ServerResponse, fault: ConnectionFault): void {
		this.#faults.countApplied(fault)
		// For HTTP/2, Node passes a response of another class with the same methods.
		const { stream } = response as unknown as Partial<Http2ServerResponse>
		if (stream) stream.session?.goaway(0, 1)
		else response.setHeader('connection', 'close')
	}

	#break({ socket }: IncomingMessage, fault: Break): void {
		const connection = this.#open.get(socket.remotePort)
		if (!connection) return
		this.#faults.countApplied(fault)
		if (fault.by === 'silence') this.#silent.add(connection)
		if (fault.by === 'half-close') connection.end()
		if (fault.by === 'reset') resetConnection(connection)
	}
}

function write(response: ServerResponse, { status, headers, body }: Answer, written?: () => void): void {
	response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
	response.end(body, written)
}

function writeHalf(response: ServerResponse, { status, headers, body }: Answer, written: () => void): void {
	const bytes = Buffer.from(body)
	response.writeHead(status, { ...headers, 'content-length': bytes.length })
	response.write(bytes.subarray(0, bytes.length / 2), written)
}
