import { type Control, METHODS } from '../control.ts'
import { type Answer, jsonAnswer, type Received } from '../http/answer.ts'

type Method = (argument: unknown) => Promise<unknown>

/** Answers `POST /_simulator/<method>` with the method's argument as JSON. Any other request gets a list of the methods. */
export async function callControl(control: Control, { method, url, body }: Received): Promise<Answer> {
	const name = url.split('?')[0]?.split('/')[2] ?? ''
	if (method !== 'POST') return jsonAnswer(200, { methods: METHODS })
	if (!METHODS.includes(name)) return jsonAnswer(404, { error: `No method ${name}`, methods: METHODS })
	try {
		const argument: unknown = body.length === 0 ? undefined : JSON.parse(body.toString())
		const result = await (control[name as keyof Control] as Method)(argument)
		return jsonAnswer(200, result ?? null)
	} catch (error) {
		return jsonAnswer(400, { error: error instanceof Error ? error.message : String(error) })
	}
}
