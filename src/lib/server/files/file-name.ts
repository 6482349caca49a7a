import { extname } from 'node:path'

const MAX_LENGTH = 200
/** Longest ending that a shortened name keeps, with its dot. */
const MAX_ENDING_LENGTH = 12

/** Signs that turn the direction of text, so that "gpj.exe" would be read as "exe.jpg", and invisible ones. Joiners stay: scripts of India need them. */
const HIDDEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu

/**
 * Returns the name of a file as its owner wrote it, without folders and hidden signs; empty when nothing is left. A long one
 * loses the end of its stem and keeps its ending.
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

/** Browsers write quotes and line ends of a file's name so in a form. */
const FORM_ESCAPES: Record<string, string> = { '%22': '"', '%0d': '', '%0a': '' }

/** Returns the name of a file as it was before a browser put it into a form: Rate %22List%22.pdf is Rate "List".pdf. */
export function nameFromForm(given: string): string {
	return given.replace(/%(?:22|0d|0a)/gi, (escape) => FORM_ESCAPES[escape.toLowerCase()] ?? '')
}

/** Bytes of a stem that fit into a part of a storage key. */
const MAX_STEM_BYTES = 150
const MAX_KEY_NAME_LENGTH = 60

/**
 * Returns the end of a storage key for a file: a folder, from `id`, that holds the real stem in base64url where a key cannot,
 * and a plain name, as in `1f…-4KSu…/file.pdf`. `ending` is that of its content.
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
	const real = stem === plain ? '' : `-name-${Buffer.from(shortened(stem, MAX_STEM_BYTES)).toString('base64url')}`
	return `${id}${real}/${plain || 'header'}${ending}`
}

/** Returns the real name of the file with a key that ends as `keyEndOf` wrote it; a name alone is returned as it is. */
export function nameInKey(key: string): string {
	const [plain = '', folder = ''] = key.split('/').toReversed()
	const encoded = /-name-([\w-]{1,250})$/.exec(folder)?.[1]
	return encoded === undefined ? plain : Buffer.from(encoded, 'base64url').toString() + extname(plain)
}

function stemOf(name: string): string {
	return name.slice(0, name.length - extname(name).length).trim()
}

/** Returns as much of the text as has this many bytes. */
function shortened(text: string, max: number): string {
	let shown = text
	while (Buffer.byteLength(shown) > max) shown = cut(shown, shown.length - 1)
	return shown
}
