import { type Control, METHODS } from './control.ts'

/** Controls a simulator in another process. */
export function connectSimulator(url: string): Control {
	const call = async (method: string, argument: unknown): Promise<unknown> => {
		const headers = { 'content-type': 'application/json' }
		const body = argument === undefined ? null : JSON.stringify(argument)
		const response = await fetch(`${url}/_simulator/${method}`, { method: 'POST', headers, body })
		const answer: unknown = await response.json()
		if (response.ok) return answer ?? undefined
		throw new Error(`Simulator refused ${method}: ${JSON.stringify(answer)}`)
	}
	const methods = METHODS.map((method) => [method, (argument: unknown) => call(method, argument)])
	return Object.fromEntries(methods) as Control
}
