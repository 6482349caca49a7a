import { tokenOf, tokenTextOf } from '../graph/access.ts'
import type { Call, Caller } from '../graph/call.ts'
import { GraphError, unknownObject, unknownPath } from '../graph/errors.ts'
import { download } from '../graph/media/media.ts'
import { route } from '../graph/router.ts'
import { answeringVersion, DEFAULT_VERSION } from '../graph/versions.ts'
import type { NetworkState } from '../network-state.ts'
import type { ConnectionFault } from '../network/faults.ts'
import { type Answer, jsonAnswer, type Received } from './answer.ts'
import { answerHeaders, refusalOf } from './graph-headers.ts'
import { originOf } from './origin.ts'

// Shared by all calls without a query, so that a message does not allocate one.
const NO_QUERY: URLSearchParams = new URLSearchParams()
const PATH = /^\/*([^/]*)\/*([^/]*)\/*([^]*)/
/** Ids of objects: digits, `app` for the app that owns the token, an upload session, or the path of a call without an object. */
const OBJECT_ID = /^(?:\d+|app|upload:.*|message_template_library)$/

/** Answers `/{version}/{id}/{edge}` with an optional version, and the download URLs that the API returns. */
export function answerGraph(state: NetworkState, received: Received): Answer | Promise<Answer> {
	const { path, search } = split(received.url)
	const query = search === '' ? NO_QUERY : new URLSearchParams(search)
	if (path.startsWith('/scontent/')) return sample(state, path.slice('/scontent/'.length))
	if (path.startsWith('/whatsapp_business/attachments')) return file(state, received, query)
	const parts = partsOf(path)
	const { id, edge } = parts
	const caller: Caller = { version: parts.version, edge, wabaId: null }
	const connectionFaults: ConnectionFault[] = []
	const accept = (result: unknown): Answer => {
		const answer = jsonAnswer(200, result)
		return { ...answer, headers: { ...answer.headers, ...answerHeaders(caller) }, connectionFaults }
	}
	const refuse = (error: unknown): Answer => {
		if (error instanceof GraphError) return { ...refusalOf(error, caller), connectionFaults }
		throw error
	}
	try {
		checkPath(parts)
		const { method, headers, body } = received
		const tokenText = tokenTextOf(headers, query, body)
		const token = tokenOf(state.directory, tokenText)
		// The id of an upload contains a question mark, which callers do not escape.
		const whole = id.startsWith('upload:') ? `${id}?sig=${query.get('sig') ?? ''}` : id
		const origin = originOf(state, headers)
		const call: Call = {
			state,
			method,
			caller,
			path: `/${parts.version}/${id}/${edge}`,
			query,
			headers,
			body,
			token,
			origin,
			connectionFaults,
		}
		const result = route(call, decoded(whole), edge)
		return result instanceof Promise ? result.then(accept, refuse) : accept(result)
	} catch (error) {
		return refuse(error)
	}
}

/**
 * Returns the edge and the phone number that the URL of a call names; null for another object than a phone number.
 * Needs no body.
 */
export function callAt({ directory }: NetworkState, url: string): { name: string; phoneNumberId: string | null } {
	const { id, edge } = partsOf(split(url).path)
	return { name: edge, phoneNumberId: directory.phones.has(id) ? id : null }
}

function split(url: string): { path: string; search: string } {
	const mark = url.indexOf('?')
	return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

interface Parts {
	version: string
	id: string
	edge: string
	/** Remainder of the path after the edge. Empty in every valid path. */
	rest: string
}

// Splits a path into its parts. A version that does not exist is treated as the id of an object, as at Meta.
function partsOf(path: string): Parts {
	const [, first = '', second = '', third = ''] = PATH.exec(path) ?? []
	const version = answeringVersion(first)
	if (version === null) return { version: DEFAULT_VERSION, id: first, edge: second, rest: third }
	const [, edge = '', rest = '', more = ''] = PATH.exec(third) ?? []
	return { version, id: second, edge, rest: more === '' ? rest : `${rest}/${more}` }
}

// Throws for an invalid path. Meta checks the path before the token.
function checkPath({ id, edge, rest }: Parts): void {
	if (OBJECT_ID.test(decoded(id))) {
		if (rest !== '') throw unknownPath(rest)
		return
	}
	if (edge !== '') throw unknownPath(rest === '' ? edge : `${edge}/${rest}`)
	throw new GraphError(803, { message: `(#803) Some of the aliases you requested do not exist: ${id}` })
}

function decoded(id: string): string {
	try {
		return decodeURIComponent(id)
	} catch {
		return id
	}
}

function file(state: NetworkState, { headers, body }: Received, query: URLSearchParams): Answer {
	try {
		const token = tokenOf(state.directory, tokenTextOf(headers, query, body))
		const { type, bytes } = download({ state, query, token })
		return { status: 200, headers: { 'content-type': type }, body: bytes }
	} catch (error) {
		if (error instanceof GraphError) return refusalOf(error, null)
		throw error
	}
}

function sample(state: NetworkState, id: string): Answer {
	const media = state.media.find(id)
	if (!media) return refusalOf(unknownObject('GET', id), null)
	return { status: 200, headers: { 'content-type': media.mime_type }, body: state.media.bytesOf(id) }
}
