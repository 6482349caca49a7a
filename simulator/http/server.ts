import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Control } from '../control.ts'
import { callControl } from '../control/http.ts'
import { logBug } from '../error-log.ts'
import { NoVerdict } from '../graph/call.ts'
import { GraphError } from '../graph/errors.ts'
import type { World } from '../world.ts'
import { type Answer, gateway, jsonAnswer, type Received } from './answer.ts'
import { answerGraph } from './graph.ts'

const MAX_BODY_BYTES = 105 * 1_024 * 1_024

interface Listening {
	server: Server
	url: string
}

export async function listen(world: World, control: Control, at: { port: number; host: string }): Promise<Listening> {
	const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (request, response) => {
		receive(request, response, (received) => handle(world, control, received))
	})
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject)
		server.listen(at.port, at.host, resolve)
	})
	const { port } = server.address() as AddressInfo
	return { server, url: `http://${at.host}:${port}` }
}

function receive(
	request: IncomingMessage,
	response: ServerResponse,
	respond: (received: Received) => Answer | Promise<Answer>,
): void {
	const chunks: Buffer[] = []
	let bytes = 0
	request.on('data', (chunk: Buffer) => {
		chunks.push(chunk)
		bytes += chunk.length
		if (bytes > MAX_BODY_BYTES) request.destroy()
	})
	request.on('error', () => response.destroy())
	request.on('end', () => {
		const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
		const { method = 'GET', url = '/', headers } = request
		void reply(response, () => respond({ method, url, headers, body }))
	})
}

async function reply(response: ServerResponse, respond: () => Answer | Promise<Answer>): Promise<void> {
	try {
		send(response, await respond())
	} catch (error) {
		if (error instanceof NoVerdict) withhold(response, error)
		else if (error instanceof GraphError) send(response, refusalOf(error))
		else {
			// A fault of the simulator itself: loud, and never an answer that a caller could take for the network's.
			logBug(error)
			send(response, gateway(500))
		}
	}
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
	response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
	response.end(body)
}

function refusalOf(error: GraphError): Answer {
	const limited = [4, 80007, 130429].includes(error.code)
	const usage = JSON.stringify({ app: [{ type: 'messages', call_count: 100, estimated_time_to_regain_access: 1 }] })
	const answer = jsonAnswer(error.status, error.body())
	return limited ? { ...answer, headers: { ...answer.headers, 'x-business-use-case-usage': usage } } : answer
}

function withhold(response: ServerResponse, { kind, status }: NoVerdict): void {
	if (kind === 'drop') response.destroy()
	if (kind === 'server-error') send(response, gateway(status))
}

/** Anything under `/_simulator/` is a control call; everything else belongs to the Graph API. */
function handle(world: World, control: Control, received: Received): Answer | Promise<Answer> {
	if (received.url.startsWith('/_simulator')) return callControl(control, received)
	return answerGraph(world, received)
}
