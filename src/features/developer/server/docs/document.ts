import type { ZodMiniType } from 'zod/mini'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { Problem } from '#features/developer/v1-fields.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { isIdempotent, type Endpoint } from '#lib/endpoint.ts'
import { openApi, type OperationDocs } from '#lib/server/http/openapi.ts'
import { errorsByStatus, problemOf, type ErrorCode } from './errors.ts'
import { describeEvents } from './event-docs.ts'
import { EXAMPLES, type CallExamples } from './examples.ts'
import { GUIDE } from './guide.ts'

const FAULT_OF_OURS = problemOf(500, 'internal', 'Something went wrong. Send the request again.')

const TAGS = {
	Messages: 'Single messages, such as the confirmation of an order.',
	Campaigns: 'A template to many: to contacts, or to a list of your own.',
	Contacts: 'Contacts, their groups, and who receives no marketing.',
	Account: 'Templates and money.',
}

/** Group of a call by the first part of its path. */
const TAG_OF: Readonly<Record<string, keyof typeof TAGS>> = {
	messages: 'Messages',
	campaigns: 'Campaigns',
	contacts: 'Contacts',
	groups: 'Contacts',
	'opt-outs': 'Contacts',
}

type Name = keyof typeof EXAMPLES
type DocumentedCall = Endpoint & { description: string; errors?: readonly ErrorCode[]; response: ZodMiniType }

const CALLS: Readonly<Record<Name, DocumentedCall>> = { ...v1Messages, ...v1Campaigns, ...v1 }

/** Every call of /v1. */
export const V1_CALLS: readonly Endpoint[] = Object.values(CALLS)

let description: Record<string, unknown> | undefined

/** Returns the OpenAPI document of /v1, which is built for the first request. */
export function describeV1(): Record<string, unknown> {
	return (description ??= buildDescription())
}

function buildDescription(): Record<string, unknown> {
	const api = { introduction: GUIDE, tags: TAGS, problem: { shape: Problem, example: FAULT_OF_OURS }, docsOf }
	return { ...openApi({ v1: CALLS }, { title: 'WhatsApp Bulk Message API', api }), webhooks: describeEvents() }
}

function docsOf(name: string, endpoint: Endpoint): OperationDocs {
	const { errors = [], response } = CALLS[name as Name]
	const example: CallExamples = EXAMPLES[name as Name]
	return {
		tag: TAG_OF[endpoint.path.split('/')[2] ?? ''] ?? 'Account',
		request: example.request,
		response: response.parse(example.response),
		headers: endpoint.access === 'key' ? KEY_HEADERS : {},
		errors: errorsByStatus([...errors, ...usualErrors(endpoint)]),
	}
}

const KEY_HEADERS = {
	RateLimit: 'How many calls the account has left (`r`), and after how many seconds it has all again (`t`).',
	'RateLimit-Policy': 'How many calls the account may make (`q`) in how many seconds (`w`).',
	'X-Request-Id': 'The id of the request, to name when you ask for help.',
}

/** Returns the errors that every call of this kind may return. */
function usualErrors(endpoint: Endpoint): ErrorCode[] {
	const { access, params, query, body } = endpoint
	if (access === 'public') return []
	return [
		...(body ? (['unreadable', 'too_large', 'unsupported_media_type'] as const) : []),
		...(body || query || params ? (['invalid'] as const) : []),
		...(params ? (['not_found'] as const) : []),
		...(isIdempotent(endpoint) ? (['idempotency_key_reused', 'idempotency_in_progress'] as const) : []),
		'unauthenticated',
		'scope_missing',
		'network_not_allowed',
		'rate_limited',
	]
}
