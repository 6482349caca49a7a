import type { NetworkState } from '#simulator/network-state.ts'
import { fileOf, mediaUrl } from '#simulator/network/inbound/media-url.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import type { Media } from '#simulator/state/media-store.ts'
import type { Call } from '../call.ts'
import { GraphError, invalidParam, unknownObject } from '../errors.ts'
import { formOf } from '../multipart.ts'
import { ALL_TYPES, bareType, maxBytesOf } from './media-types.ts'

export function uploadMedia(phone: Phone, call: Call): unknown {
	const { state, headers, body } = call
	const form = formOf(body, String(headers['content-type'] ?? ''))
	const product = form.fields['messaging_product'] ?? call.query.get('messaging_product')
	if (product !== 'whatsapp') throw invalidParam('The parameter messaging_product is required.')
	const file = form.files.find((each) => each.field === 'file')
	if (!file) throw invalidParam('The parameter file is required.')
	const type = bareType(file.type ?? 'application/octet-stream')
	if (!ALL_TYPES.includes(type)) {
		const types = ALL_TYPES.join(', ')
		throw invalidParam(
			`Param file must be a file with one of the following types: ${types}. Received file of type '${type}'.`,
		)
	}
	const maxBytes = maxBytesOf(type)
	if (file.bytes.length > maxBytes || file.bytes.length === 0) {
		throw new GraphError(131053, {
			details: `File of ${file.bytes.length} bytes: ${type} must have 1 to ${maxBytes} bytes.`,
		})
	}
	const about = { phone_number_id: phone.id, mime_type: file.type ?? type, file_name: file.name }
	return { id: state.media.add(file.bytes, about).id }
}

/** Returns the type, size and hash of a file, with a URL from which it can be downloaded for the next five minutes. */
export function getMedia(media: Media, call: Call): unknown {
	checkNumber(media, call)
	const { id, mime_type, file_size } = media
	// Graph calls give the hash in hex, webhooks in base64.
	const sha256 = Buffer.from(media.sha256, 'base64').toString('hex')
	return { url: mediaUrl(id, call.origin), mime_type, sha256, file_size, id, messaging_product: 'whatsapp' }
}

// Throws if the call names a phone number that does not own the file.
function checkNumber(media: Media, { method, query }: Call): void {
	const requested = query.get('phone_number_id')
	if (requested !== null && requested !== media.phone_number_id) throw unknownObject(method, media.id)
}

export function deleteMedia(media: Media, call: Call): unknown {
	checkNumber(media, call)
	call.state.media.delete(media.id)
	return { success: true }
}

/** Returns the bytes of a file if the token has access to its phone number. */
export function download({ state, query, token }: Pick<Call, 'state' | 'query' | 'token'>): {
	type: string
	bytes: Buffer
} {
	const media = state.media.find(fileOf(query) ?? '')
	if (!media || !maySee(state, token.accounts, media)) {
		throw new GraphError(100, { message: 'The URL has expired or the file does not exist.', status: 404 })
	}
	return { type: media.mime_type, bytes: state.media.bytesOf(media.id) }
}

export function maySee(state: NetworkState, accounts: ReadonlySet<string>, { phone_number_id }: Media): boolean {
	const phone = phone_number_id === null ? undefined : state.directory.phones.get(phone_number_id)
	return phone !== undefined && accounts.has(phone.waba_id)
}
