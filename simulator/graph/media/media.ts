import { createHmac } from 'node:crypto'
import type { NetworkState } from '#simulator/network-state.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import type { Media } from '#simulator/state/media-store.ts'
import { type Call, FileAnswer } from '../call.ts'
import { GraphError, invalidParam, unknownObject } from '../errors.ts'
import { formOf } from '../multipart.ts'
import { ALL_TYPES, bareType, maxBytesOf } from './media-types.ts'

const URL_LIFETIME_MS = 5 * 60 * 1_000

export function uploadMedia(phone: Phone, { state, headers, body }: Call): unknown {
	const form = formOf(body, String(headers['content-type'] ?? ''))
	if (form.fields['messaging_product'] !== 'whatsapp')
		throw invalidParam('The parameter messaging_product is required.')
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

/** Returns a URL that downloads the file for the next five minutes. */
export function getMedia(media: Media, call: Call): unknown {
	const requested = call.query.get('phone_number_id')
	if (requested !== null && requested !== media.phone_number_id) throw unknownObject('GET', media.id)
	const { id, mime_type, sha256, file_size } = media
	return { messaging_product: 'whatsapp', url: mediaUrl(media, call.origin), mime_type, sha256, file_size, id }
}

export function deleteMedia(media: Media, { state }: Call): unknown {
	state.media.delete(media.id)
	return { success: true }
}

export function mediaUrl({ id }: Media, origin: string): string {
	const expires = String(Date.now() + URL_LIFETIME_MS)
	return `${origin}/whatsapp_business/attachments/?mid=${id}&ext=${expires}&hash=${seal(id, expires)}`
}

/** Downloads a file for a token with access to its phone number. */
export function download({ state, query, token }: Pick<Call, 'state' | 'query' | 'token'>): FileAnswer {
	const id = query.get('mid') ?? ''
	const expires = query.get('ext') ?? ''
	const media = state.media.find(id)
	const valid = query.get('hash') === seal(id, expires) && Number(expires) > Date.now()
	if (!media || !valid || !maySee(state, token.accounts, media)) {
		throw new GraphError(100, { message: 'The URL has expired or the file does not exist.', status: 404 })
	}
	return new FileAnswer(state.media.bytesOf(id), media.mime_type)
}

export function maySee(state: NetworkState, accounts: ReadonlySet<string>, { phone_number_id }: Media): boolean {
	const phone = phone_number_id === null ? undefined : state.directory.phones.get(phone_number_id)
	return phone !== undefined && accounts.has(phone.waba_id)
}

function seal(id: string, expires: string): string {
	return createHmac('sha256', 'media address').update(`${id} ${expires}`).digest('base64url')
}
