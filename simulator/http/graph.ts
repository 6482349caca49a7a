import { tokenOf, tokenTextOf } from '../graph/access.ts'
import { type Call, FileAnswer } from '../graph/call.ts'
import { unknownObject } from '../graph/errors.ts'
import { download } from '../graph/media/media.ts'
import { route } from '../graph/router.ts'
import type { NetworkState } from '../network-state.ts'
import { type Answer, jsonAnswer, type Received } from './answer.ts'

// Created once, not for every message.
const NO_QUERY: URLSearchParams = new URLSearchParams()
const PATH = /^(?:\/+v\d+\.\d+(?=\/|$))?\/*([^/]*)\/*([^/]*)/

/** Answers `/{version}/{id}/{edge}`, with an optional version, and the URLs that the API itself returns. */
export function answerGraph(state: NetworkState, received: Received): Answer | Promise<Answer> {
	const { pathname, search } = split(received.url)
	const query = search === '' ? NO_QUERY : new URLSearchParams(search)
	if (pathname.startsWith('/scontent/')) return sample(state, pathname.slice('/scontent/'.length))
	const tokenText = tokenTextOf(received.headers, query)
	const token = tokenOf(state.directory, tokenText)
	if (pathname.startsWith('/whatsapp_business/attachments')) return toAnswer(download({ state, query, token }))
	const origin = `http://${received.headers.host ?? 'localhost'}`
	const { method, headers, body } = received
	const [, id = '', edge = ''] = PATH.exec(pathname) ?? []
	// The id of an upload contains a question mark, which callers do not escape.
	const whole = id.startsWith('upload:') ? `${id}?sig=${query.get('sig') ?? ''}` : id
	const call: Call = { state, method, path: pathname, query, headers, body, token, tokenText, origin }
	const result = route(call, decodeURIComponent(whole), edge)
	return result instanceof Promise ? result.then(toAnswer) : toAnswer(result)
}

function split(url: string): { pathname: string; search: string } {
	const mark = url.indexOf('?')
	return mark < 0 ? { pathname: url, search: '' } : { pathname: url.slice(0, mark), search: url.slice(mark + 1) }
}

function toAnswer(result: unknown): Answer {
	if (!(result instanceof FileAnswer)) return jsonAnswer(200, result)
	return { status: 200, headers: { 'content-type': result.type }, body: result.bytes }
}

function sample(state: NetworkState, id: string): Answer {
	const media = state.media.find(id)
	if (!media) throw unknownObject('GET', id)
	return { status: 200, headers: { 'content-type': media.mime_type }, body: state.media.bytesOf(id) }
}
