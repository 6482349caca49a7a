import type { App } from '#simulator/state/accounts.ts'
import type { UploadSession } from '#simulator/state/upload-sessions.ts'
import type { Call } from '../call.ts'
import { GraphError, invalidParam } from '../errors.ts'
import { stringOf } from '../json.ts'
import { paramsOf, textParam } from '../params.ts'
import { SAMPLE_TYPES } from './media-types.ts'

const TYPES = Object.values(SAMPLE_TYPES).flat().toSorted()

export function beginUpload(app: App, call: Call): unknown {
	const params = paramsOf(call)
	const type = textParam(params, 'file_type')
	if (!TYPES.includes(type)) throw invalidParam(`Param file_type must be one of {${TYPES.join(', ')}} - got "${type}".`)
	const length = Number(textParam(params, 'file_length'))
	if (!Number.isInteger(length) || length < 1)
		throw invalidParam('Param file_length must be an integer greater than 0.')
	const about = { app_id: app.id, file_name: stringOf(params['file_name']), file_type: type, file_length: length }
	return { id: call.state.uploads.begin(about).id }
}

export function getUpload(session: UploadSession): unknown {
	return { id: session.id, file_offset: session.received.length }
}

/**
 * Appends bytes at the offset. Returns the file's handle when all bytes are received, otherwise the next offset. Throws
 * Graph's error for another scheme than OAuth, a wrong offset, or too many bytes.
 */
export function receiveUpload(session: UploadSession, { state, headers, body }: Call): unknown {
	if (!String(headers['authorization'] ?? '').startsWith('OAuth ')) {
		throw new GraphError(100, { message: '(#100) The upload must be authorized with the OAuth scheme.' })
	}
	const offset = Number(headers['file_offset'] ?? NaN)
	if (offset !== session.received.length) throw invalidParam(`Param file_offset must be ${session.received.length}.`)
	session.received = Buffer.concat([session.received, body])
	if (session.received.length > session.file_length) throw invalidParam('More bytes than file_length were received.')
	if (session.received.length < session.file_length) return getUpload(session)
	const about = { phone_number_id: null, mime_type: session.file_type, file_name: session.file_name }
	const media = state.media.add(session.received, about)
	session.received = Buffer.alloc(0)
	return { h: handleFor(media.id, session.file_type) }
}

function handleFor(mediaId: string, type: string): string {
	return `4::${Buffer.from(type).toString('base64')}:ARZ${Buffer.from(mediaId).toString('base64url')}`
}

/** Returns the media id in a handle, or null if the simulator did not issue the handle. */
export function mediaIdOfHandle(handle: string): string | null {
	const text = /^4::[A-Za-z0-9+/=]+:ARZ([\w-]+)$/.exec(handle)?.[1]
	return text === undefined ? null : Buffer.from(text, 'base64url').toString()
}
