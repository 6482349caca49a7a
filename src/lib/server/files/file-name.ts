import { extname } from 'node:path'

const MAX_LENGTH = 200
/** Longest file extension that a shortened name keeps, including its dot. */
const MAX_ENDING_LENGTH = 12

/**
 * Invisible characters and those that reverse the direction of text, which can show "gpj.exe" as "exe.jpg". Joiners are
 * allowed: Indian scripts need them.
 */
const HIDDEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu

/**
 * Returns a file name without folders and invisible characters, of at most MAX_LENGTH characters; empty when nothing is
 * left. A long name loses the end of its stem and keeps its extension.
 */
export function fileNameOf(given: string): string {
	const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
	const name = last.normalize('NFC').replace(HIDDEN, '').trim().replace(/^\.+/, '')
	const ending = extname(name).slice(0, MAX_ENDING_LENGTH)
	return name.length <= MAX_LENGTH ? name : cut(name, MAX_LENGTH - ending.length) + ending
}

function cut(text: string, length: number): string {
	const part = text.slice(0, length)
	return part.isWellFormed() ? part.trimEnd() : part.slice(0, -1).trimEnd()
}

/** Encodings that browsers use for quotes and line ends of a file name in a form. */
const FORM_ESCAPES: Record<string, string> = { '%22': '"', '%0d': '', '%0a': '' }

/** Decodes a file name from a form: Rate %22List%22.pdf becomes Rate "List".pdf. */
export function nameFromForm(given: string): string {
	return given.replace(/%(?:22|0d|0a)/gi, (escape) => FORM_ESCAPES[escape.toLowerCase()] ?? '')
}

/** Bytes of a stem that fit into one part of a storage key. */
const MAX_STEM_BYTES = 150
const MAX_KEY_NAME_LENGTH = 60
/** Characters of the plain name in a key that also holds the real stem, so that the key stays valid. */
const MAX_NAME_BESIDE_STEM = 30

/**
 * Returns the end of a file's storage key, such as `1f…-4KSu…/file.pdf`: a folder of `id` and, if the key cannot
 * contain the real stem, its base64url; then a plain name with the extension `ending`, which fits the content.
 */
export function keyEndOf(id: string, filename: string, ending: string): string {
	const stem = stemOf(fileNameOf(filename))
	const plain = stem
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.split(/[^\w]+/)
		.filter(Boolean)
		.join('-')
		.slice(0, MAX_KEY_NAME_LENGTH)
	if (stem === plain) return `${id}/${plain || 'header'}${ending}`
	const real = Buffer.from(shortened(stem, MAX_STEM_BYTES)).toString('base64url')
	return `${id}-name-${real}/${plain.slice(0, MAX_NAME_BESIDE_STEM) || 'header'}${ending}`
}

/** Returns the real file name from a key that `keyEndOf` made; a plain name is returned unchanged. */
export function nameInKey(key: string): string {
	const [plain = '', folder = ''] = key.split('/').toReversed()
	const encoded = /-name-([\w-]{1,250})$/.exec(folder)?.[1]
	return encoded === undefined ? plain : Buffer.from(encoded, 'base64url').toString() + extname(plain)
}

function stemOf(name: string): string {
	return name.slice(0, name.length - extname(name).length).trim()
}

/** Shortens the text to at most `max` bytes. */
function shortened(text: string, max: number): string {
	let shown = text
	while (Buffer.byteLength(shown) > max) shown = cut(shown, shown.length - 1)
	return shown
}
