import type { Account, App, Phone } from '../state/accounts.ts'
import type { Media } from '../state/media-store.ts'
import type { Template } from '../state/templates.ts'
import type { UploadSession } from '../state/upload-sessions.ts'
import type { Call } from './call.ts'
import { type GraphError, unknownField, unknownObject, unknownPath } from './errors.ts'
import { maySee } from './media/media.ts'
import {
	accountRoutes,
	appRoutes,
	mediaRoutes,
	phoneRoutes,
	rootRoutes,
	templateRoutes,
	uploadRoutes,
} from './routes.ts'
import { withFaults } from './with-faults.ts'

type Found =
	| { kind: 'phone'; node: Phone }
	| { kind: 'waba'; node: Account }
	| { kind: 'template'; node: Template }
	| { kind: 'media_object'; node: Media }
	| { kind: 'app'; node: App }
	| { kind: 'upload'; node: UploadSession }

const SENDS: readonly string[] = ['POST messages', 'POST marketing_messages']

/** Meta's names for the types of its objects. */
const NODE_TYPES: Record<Found['kind'], string> = {
	phone: 'WhatsAppBusinessPhoneNumber',
	waba: 'WhatsAppBusinessAccount',
	template: 'WhatsAppMessageTemplate',
	media_object: 'WhatsAppMedia',
	app: 'Application',
	upload: 'UploadSession',
}

/** Calls the handler of `METHOD /{id}/{edge}`. Throws Graph's error for an unknown object, edge or method. */
export function route(call: Call, id: string, edge: string): unknown {
	const root = edge === '' ? rootRoutes[`${call.method} ${id}`] : undefined
	if (root) {
		const faults = call.state.faults.take({ name: id, phoneNumberId: null, to: null })
		return withFaults(call, faults, () => root(call))
	}
	const found = find(call, id)
	if (!found) throw unknownObject(call.method, id)
	call.caller.wabaId = accountOf(call, found)
	const key = `${call.method} ${edge}`
	const handle = handlerOf(found, key)
	if (!handle) throw unknownCall(call.method, id, { edge, kind: found.kind })
	// Sends apply their faults themselves, because they know the recipient.
	if (SENDS.includes(key) || call.state.faults.isEmpty) return handle(call)
	const phoneNumberId = found.kind === 'phone' ? found.node.id : null
	const faults = call.state.faults.take({ name: edge || found.kind, phoneNumberId, to: null })
	return withFaults(call, faults, () => handle(call))
}

function unknownCall(method: string, id: string, { edge, kind }: { edge: string; kind: Found['kind'] }): GraphError {
	if (edge === '') return unknownObject(method, id)
	return method === 'GET' ? unknownField(edge, NODE_TYPES[kind]) : unknownPath(edge)
}

function accountOf({ state }: Call, { kind, node }: Found): string | null {
	if (kind === 'waba') return node.id
	if (kind === 'phone' || kind === 'template') return node.waba_id
	if (kind !== 'media_object' || node.phone_number_id === null) return null
	return state.directory.phones.get(node.phone_number_id)?.waba_id ?? null
}

function handlerOf(found: Found, key: string): ((call: Call) => unknown) | null {
	switch (found.kind) {
		case 'phone':
			return bound(phoneRoutes[key], found.node)
		case 'waba':
			return bound(accountRoutes[key], found.node)
		case 'template':
			return bound(templateRoutes[key], found.node)
		case 'media_object':
			return bound(mediaRoutes[key], found.node)
		case 'app':
			return bound(appRoutes[key], found.node)
		case 'upload':
			return bound(uploadRoutes[key], found.node)
	}
}

function bound<N>(handler: ((node: N, call: Call) => unknown) | undefined, node: N): ((call: Call) => unknown) | null {
	return handler ? (call) => handler(node, call) : null
}

// Returns the object with this id, or null if it does not exist or the token has no access to it.
function find({ state, token }: Call, id: string): Found | null {
	const { directory, templates, media, uploads } = state
	const phone = directory.phones.get(id)
	if (phone) return token.accounts.has(phone.waba_id) ? { kind: 'phone', node: phone } : null
	const account = directory.accounts.get(id)
	if (account) return token.accounts.has(id) ? { kind: 'waba', node: account } : null
	const template = templates.find(id)
	if (template) return token.accounts.has(template.waba_id) ? { kind: 'template', node: template } : null
	const file = media.find(id)
	if (file) return maySee(state, token.accounts, file) ? { kind: 'media_object', node: file } : null
	const app = directory.apps.get(id === 'app' ? token.app_id : id)
	if (app) return app.id === token.app_id ? { kind: 'app', node: app } : null
	const upload = uploads.find(id)
	return upload && upload.app_id === token.app_id ? { kind: 'upload', node: upload } : null
}
