export type MediaKind = 'image' | 'video' | 'document' | 'audio' | 'sticker'

const MB = 1_024 * 1_024

interface Limit {
	types: readonly string[]
	maxBytes: number
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'

const LIMITS: Record<MediaKind, Limit> = {
	image: { types: ['image/jpeg', 'image/png'], maxBytes: 5 * MB },
	video: { types: ['video/mp4', 'video/3gpp'], maxBytes: 16 * MB },
	audio: { types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/opus'], maxBytes: 16 * MB },
	document: {
		types: [
			'application/pdf',
			'text/plain',
			'application/msword',
			'application/vnd.ms-excel',
			'application/vnd.ms-powerpoint',
			`${OFFICE}.wordprocessingml.document`,
			`${OFFICE}.spreadsheetml.sheet`,
			`${OFFICE}.presentationml.presentation`,
		],
		maxBytes: 100 * MB,
	},
	sticker: { types: ['image/webp'], maxBytes: 500 * 1_024 },
}

/** MIME types of the sample file of a template's header, by the header's format. */
export const SAMPLE_TYPES: Record<string, readonly string[]> = {
	IMAGE: ['image/jpeg', 'image/jpg', 'image/png'],
	VIDEO: ['video/mp4'],
	DOCUMENT: ['application/pdf'],
}

export const ALL_TYPES: readonly string[] = Object.values(LIMITS).flatMap((limit) => limit.types)

/** Returns the MIME type without its parameters: `audio/ogg` for `audio/ogg; codecs=opus`. */
export function bareType(mimeType: string): string {
	return (mimeType.split(';')[0] ?? '').trim().toLowerCase()
}

// Returns true if a file of this type can be sent as this kind of message. Any file can be sent as a document.
export function fitsKind(kind: MediaKind, mimeType: string): boolean {
	return kind === 'document' || LIMITS[kind].types.includes(bareType(mimeType))
}

export function maxBytesOf(mimeType: string): number {
	const limit = Object.values(LIMITS).find((each) => each.types.includes(bareType(mimeType)))
	return limit?.maxBytes ?? 0
}
