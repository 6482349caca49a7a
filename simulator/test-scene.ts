import type { TestContext } from 'node:test'
import type { Control, Credentials } from './control.ts'
import { startSimulator, type SimulatorOptions } from './simulator.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

export interface GraphError {
	code: number
	message: string
	type: string
	error_subcode?: number
	error_user_msg?: string
	error_data?: { details: string }
	fbtrace_id: string
}

export interface GraphAnswer {
	status: number
	body: Record<string, unknown> & { error?: GraphError; messages?: { id: string; message_status?: string }[] }
}

export interface Scene {
	url: string
	control: Control
	account: Credentials
	receiver: Receiver
	graph(method: string, path: string, body?: unknown): Promise<GraphAnswer>
	/** Sends a message from the account's number; by default the template to a new recipient. */
	send(message?: Record<string, unknown>): Promise<GraphAnswer>
}

export const QUICK = { sentMs: 5, deliveredMs: 10, readMs: 15, jitter: 0, readRate: 1, failRate: 0 }
export const HELLO = { name: 'hello', language: { code: 'en_US' } }

/** Starts a simulator with quick statuses, one account with the template `hello`, and a subscribed receiver. */
export async function startScene(t: TestContext, options: SimulatorOptions = {}): Promise<Scene> {
	const simulator = await startSimulator({ statuses: QUICK, reviewDelayMs: 5, ...options })
	const receiver = await startReceiver()
	t.after(async () => {
		await simulator.close()
		await receiver.close()
	})
	const { url, control } = simulator
	const account = await control.createAccount({ phone: '919876500000' })
	await control.subscribe({ waba_id: account.waba_id, url: receiver.url })
	await control.addTemplate({ ...HELLO, waba_id: account.waba_id, language: 'en_US', components: [HELLO_BODY] })
	const graph = caller(url, account.access_token)
	let serial = 0
	const send = (message: Record<string, unknown> = {}): Promise<GraphAnswer> => {
		const to = `+91${9_800_000_000 + ++serial}`
		const content = message['type'] === undefined ? { type: 'template', template: HELLO } : {}
		return graph('POST', `${account.phone_number_id}/messages`, {
			messaging_product: 'whatsapp',
			to,
			...content,
			...message,
		})
	}
	return { url, control, account, receiver, graph, send }
}

const HELLO_BODY = { type: 'BODY', text: 'Hello from us.' }

/** Returns a function for Graph calls with one token. It sends a string or a form unchanged and anything else as JSON. */
export function caller(url: string, token: string): Scene['graph'] {
	return async (method, path, body) => {
		const plain = body === undefined || typeof body === 'string' || body instanceof FormData
		const headers: Record<string, string> = { authorization: `Bearer ${token}` }
		if (!plain) headers['content-type'] = 'application/json'
		const payload = plain ? (body ?? null) : JSON.stringify(body)
		const response = await fetch(`${url}/v25.0/${path}`, { method, headers, body: payload })
		return { status: response.status, body: (await response.json()) as GraphAnswer['body'] }
	}
}
