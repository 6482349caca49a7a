import type { NetworkState } from '#simulator/network-state.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import type { Template } from '#simulator/state/templates.ts'
import { GraphError, invalidParam, missingParam, wrongValue } from '../errors.ts'
import { type JsonObject, onlyKeys, shown, textAt } from '../json.ts'
import { fitsKind, type MediaKind } from '../media/media-types.ts'

export interface Checked {
	type: string
	category: string
	/** The template of a template message. */
	template?: Template
	quickReplies: readonly string[]
}

export interface Sender {
	state: NetworkState
	phone: Phone
}

/** Requires exactly one of id and link. An id must be a file of the right type that this number uploaded. */
export function checkMediaSource(kind: MediaKind, part: JsonObject, { state, phone, path = kind }: MediaPlace): void {
	const { id, link } = part
	if (id === undefined && link === undefined) throw missingParam(`${kind}: one of id and link is required.`)
	if (id !== undefined && link !== undefined) throw invalidParam(`Param ${path} must have either id or link, not both.`)
	if (link !== undefined) {
		if (/^https?:\/\/\S+$/.test(textAt(link, `${path}.link`))) return
		throw invalidParam(`Param ${path}.link is not a valid URI.`)
	}
	const media = state.media.find(shown(id))
	if (!media || media.phone_number_id !== phone.id) {
		throw invalidParam(`Param ${path}.id is not a valid whatsapp business account media attachment ID`)
	}
	if (fitsKind(kind, media.mime_type)) return
	throw new GraphError(131053, { details: `${kind}: media type ${media.mime_type} is not supported.` })
}

interface MediaPlace extends Sender {
	/** Path of the object in the message, for error messages; the object's kind by default. */
	path?: string
}

/** Validates the location of a location message or of a template's header. */
export function checkLocation(location: JsonObject): void {
	onlyKeys(location, 'location', ['latitude', 'longitude', 'name', 'address'])
	for (const [key, max] of [
		['latitude', 90],
		['longitude', 180],
	] as const) {
		const value = location[key]
		if (value === undefined) throw missingParam(`location: ${key} is required.`)
		const degrees = Number(value)
		if (!Number.isFinite(degrees) || Math.abs(degrees) > max) throw wrongValue(`location: ${key} is not valid.`)
	}
}
