import type { IncomingHttpHeaders } from 'node:http'
import type { ConnectionFault } from '../network/faults.ts'

export interface Received {
	method: string
	url: string
	headers: IncomingHttpHeaders
	body: Buffer
}

export interface Answer {
	status: number
	headers: Record<string, string>
	body: string | Buffer
	connectionFaults?: readonly ConnectionFault[]
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=UTF-8' }

export function jsonAnswer(status: number, value: unknown): Answer {
	return { status, headers: JSON_HEADERS, body: JSON.stringify(value) }
}

/** Returns the answer of a proxy, which does not reveal if the request took effect. */
export function gateway(status: number): Answer {
	const body = `<html><head><title>Error</title></head><body><h1>${status}</h1></body></html>`
	return { status, headers: { 'content-type': 'text/html' }, body }
}
