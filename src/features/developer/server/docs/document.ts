import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { Problem } from '#features/developer/v1-fields.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { isFileResponse, isRepeatable, type Endpoint } from '#lib/endpoint.ts'
import { openApi, type OperationDocs } from '#lib/server/http/openapi.ts'
import { ACCOUNT_DOCS } from './account-docs.ts'
import { CAMPAIGN_DOCS } from './campaign-docs.ts'
import type { CallDocs } from './docs.ts'
import { errorsByStatus, problemOf, type ErrorCode } from './errors.ts'
import { describeEvents } from './event-docs.ts'
import { MESSAGE_DOCS } from './message-docs.ts'

const INTRODUCTION = `
Send messages from your shop or ERP, start campaigns, keep contacts, and read what became of everything.

**Keys.** Create a key under Developers and send it with every call: \`Authorization: Bearer wbm_…\`. A key does only what it was created for; revoke it there at any time.

**Errors** are problems as RFC 9457 describes them, of the type \`application/problem+json\`. Let your program look at \`code\`, which never changes; \`detail\` is for people. A 422 has \`errors\`, with the place of each fault as a JSON pointer. A request that is refused has changed nothing.

**Repeating.** When no answer comes, send the request again with the same \`Idempotency-Key\`, which each POST takes: it has its effect once, and gets the answer of the first. Keys are kept for 24 hours.

**Lists** answer \`data\` and \`next\`. Send \`next\` as \`cursor\` to get the next page; null is the end.

**Limits.** An account may make 10,000 calls in 10 seconds. \`RateLimit\` and \`RateLimit-Policy\` say how many are left; each server process counts by itself. A 429 says in \`Retry-After\` how many seconds to wait.

**Webhooks.** Give the addresses of your systems under Developers, and they are told what happens, as described at the end of this page. Each delivery is signed as Standard Webhooks says (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`): check it with one of the libraries of standardwebhooks.com. Answer with 2xx within 10 seconds; otherwise it is sent again after waits that grow from 5 seconds to 15 minutes, and what happens meanwhile follows in order. After 3 days without success, or an answer of 410, the address is switched off and you get a mail. An event may come twice: its \`id\` stays the same. Each step of a message is told, also where WhatsApp reports a later one first. A delivery has up to 500 events and 1 MB, so let your server take that much. At most 5,000,000 events wait for an address; of what happens beyond it is not told. For a day after a new secret, there are two signatures with a space between them: one must be right. Pass over types and fields that you do not know, such as \`test\`.

**Values.** Amounts are whole paise, with the rupees as text beside them. Times are RFC 3339 in UTC. Ids are texts. New fields may be added to answers at any time.
`.trim()

const FAULT_OF_OURS = problemOf(500, 'internal', 'Something went wrong. Send the request again.')

const TAGS = {
	Messages: 'Single messages, such as the confirmation of an order.',
	Campaigns: 'A template to many: to contacts, or to a list of your own.',
	Contacts: 'Contacts, their groups, and who receives no marketing.',
	Account: 'Templates and money.',
}

/** By the first part of the path. */
const TAG_OF: Readonly<Record<string, keyof typeof TAGS>> = {
	messages: 'Messages',
	campaigns: 'Campaigns',
	contacts: 'Contacts',
	groups: 'Contacts',
	'opt-outs': 'Contacts',
}

const CALLS = { ...v1Messages, ...v1Campaigns, ...v1 }

/** Every call of /v1. */
export const V1_CALLS: readonly Endpoint[] = Object.values(CALLS)

const DOCS: Readonly<Record<string, CallDocs>> = { ...MESSAGE_DOCS, ...CAMPAIGN_DOCS, ...ACCOUNT_DOCS }

/** The OpenAPI document of /v1. */
export function describeV1(): Record<string, unknown> {
	const api = { introduction: INTRODUCTION, tags: TAGS, problem: { shape: Problem, example: FAULT_OF_OURS }, docsOf }
	return { ...openApi({ v1: CALLS }, { title: 'WhatsApp Bulk Message API', api }), webhooks: describeEvents() }
}

function docsOf(name: string, endpoint: Endpoint): OperationDocs {
	const docs = DOCS[name]
	if (!docs || isFileResponse(endpoint.response)) throw new Error(`the call ${name} is not documented`)
	const { description, request, response, errors = [] } = docs
	return {
		tag: TAG_OF[endpoint.path.split('/')[2] ?? ''] ?? 'Account',
		description,
		request,
		response: endpoint.response.parse(response),
		errors: errorsByStatus([...errors, ...usualErrors(endpoint)]),
	}
}

/** What every call of this kind may answer. */
function usualErrors(endpoint: Endpoint): ErrorCode[] {
	const { access, params, query, body } = endpoint
	if (access === 'public') return []
	return [
		...(body ? (['unreadable', 'too_large', 'unsupported_media_type'] as const) : []),
		...(body || query || params ? (['invalid'] as const) : []),
		...(params ? (['not_found'] as const) : []),
		...(isRepeatable(endpoint) ? (['idempotency_key_reused', 'idempotency_in_progress'] as const) : []),
		'unauthenticated',
		'scope_missing',
		'network_not_allowed',
		'rate_limited',
	]
}
