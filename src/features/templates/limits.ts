import { plural } from '#lib/numbers.ts'

/**
 * Limits of a template, in characters unless the name says otherwise: the specification's, or Meta's where it has none.
 */
export const MAX_NAME_LENGTH = 512
export const MAX_HEADER_LENGTH = 60
export const MAX_BODY_LENGTH = 1024
export const MAX_FOOTER_LENGTH = 60

export const MAX_BUTTONS = 3
export const MAX_BUTTON_TEXT_LENGTH = 25
export const MAX_URL_BUTTONS = 2
export const MAX_PHONE_BUTTONS = 1
export const MAX_CODE_BUTTONS = 1
export const MAX_URL_LENGTH = 2000
/** Length including the plus and the country code. */
export const MAX_PHONE_LENGTH = 20
export const MAX_CODE_LENGTH = 20
/** Length of a code's example, and of a code in a limited-time offer: Meta's older limit, which all its versions accept. */
export const MAX_SAFE_CODE_LENGTH = 15

/** Cards of a carousel, and buttons of each card. */
export const MIN_CARDS = 2
export const MAX_CARDS = 10
export const MAX_CARD_BODY_LENGTH = 160
/** Size of the files of all cards together. */
const MAX_CARD_FILES_MEGABYTES = 50
export const MAX_CARD_BUTTONS = 2

/** Limited-time offers: the body, and the text in the box above it. */
export const MAX_OFFER_BODY_LENGTH = 600
export const MAX_OFFER_TEXT_LENGTH = 16

/** Length of the name and of the address in a location header. */
export const MAX_PLACE_LENGTH = 200

export const MIN_EXPIRATION_MINUTES = 1
export const MAX_EXPIRATION_MINUTES = 90

/** Ranges of a message's time to live in seconds, by category. Meta's default lies within or above them. */
export const TTL_RANGES: Record<string, { min: number; max: number }> = {
	MARKETING: { min: 43_200, max: 2_592_000 },
	UTILITY: { min: 30, max: 43_200 },
	AUTHENTICATION: { min: 30, max: 900 },
}
/** Time to live of 30 days, which Meta allows for utility and authentication. */
export const TTL_OF_30_DAYS = -1

/** Returns a time to live in words, as `12 hours`. */
export function ttlText(seconds: number): string {
	if (seconds === TTL_OF_30_DAYS) return '30 days'
	const units = [
		{ seconds: 86_400, word: 'day' },
		{ seconds: 3600, word: 'hour' },
		{ seconds: 60, word: 'minute' },
	]
	const unit = units.find((one) => seconds >= one.seconds && seconds % one.seconds === 0)
	return plural(seconds / (unit?.seconds ?? 1), unit?.word ?? 'second')
}

export type MediaHeader = 'IMAGE' | 'VIDEO' | 'DOCUMENT'

interface HeaderFileLimit {
	maxMegabytes: number
	types: readonly string[]
	/** Description of the types, for messages that ask for another file. */
	typesText: string
}

/**
 * Limits of header files. Meta accepts only MP4 samples although messages may carry 3GP, so the form converts 3GP files
 * where possible.
 */
export const HEADER_FILE_LIMITS: Record<MediaHeader, HeaderFileLimit> = {
	IMAGE: { maxMegabytes: 5, types: ['image/jpeg', 'image/png'], typesText: 'a JPEG or PNG image' },
	VIDEO: { maxMegabytes: 16, types: ['video/mp4'], typesText: 'an MP4 video' },
	DOCUMENT: { maxMegabytes: 10, types: ['application/pdf'], typesText: 'a PDF document' },
}

export const BYTES_PER_MEGABYTE = 1024 * 1024

/** Returns the size in bytes of the largest header file of a kind. */
export function maxHeaderBytes(kind: MediaHeader): number {
	return HEADER_FILE_LIMITS[kind].maxMegabytes * BYTES_PER_MEGABYTE
}

/** Returns the refusal of a header file that is larger than `maxHeaderBytes`. */
export function headerTooLarge(kind: MediaHeader): string {
	return `File size exceeds ${HEADER_FILE_LIMITS[kind].maxMegabytes}MB limit`
}

/** Returns the refusal of the files of all cards, which have this size in bytes together; false for a size that is allowed. */
export function cardFilesTooLarge(bytes: number): string | false {
	if (bytes <= MAX_CARD_FILES_MEGABYTES * BYTES_PER_MEGABYTE) return false
	return `All cards together can have at most ${MAX_CARD_FILES_MEGABYTES} MB of files`
}

export function isMediaHeader(type: string): type is MediaHeader {
	return type in HEADER_FILE_LIMITS
}
