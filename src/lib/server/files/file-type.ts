/** Returns true when the file contains this ASCII text at offset `at`. */
const has = (bytes: Uint8Array, text: string, at = 0): boolean =>
	Array.from(text).every((letter, index) => bytes[at + index] === letter.codePointAt(0))

/** Brands of ISO media files (ftyp) that are not MP4 video. */
const OTHER_BRANDS: Record<string, string> = { 'M4A ': 'audio/mp4', 'M4B ': 'audio/mp4' }
const UNSUPPORTED_BRANDS = ['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'qt  ', 'crx ', 'jp2 ']

/** Number of bytes that determine a file's type. */
export const TYPE_BYTES = 16

/**
 * Returns a file's MIME type from its first bytes, ignoring any declared type. `application/octet-stream` unless
 * WhatsApp carries the type and a browser shows it without running scripts.
 */
export function typeByContent(bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
	if (bytes[0] === 0x89 && has(bytes, 'PNG\r\n', 1)) return 'image/png'
	if (has(bytes, 'RIFF') && has(bytes, 'WEBP', 8)) return 'image/webp'
	if (has(bytes, 'GIF8')) return 'image/gif'
	if (has(bytes, '%PDF-')) return 'application/pdf'
	if (has(bytes, 'ftyp', 4)) return typeByBrand(String.fromCharCode(...bytes.slice(8, 12)))
	if (has(bytes, 'OggS')) return 'audio/ogg'
	if (has(bytes, '#!AMR')) return 'audio/amr'
	if (has(bytes, 'ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)) return 'audio/mpeg'
	if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0) return 'audio/aac'
	return 'application/octet-stream'
}

function typeByBrand(brand: string): string {
	if (/^3g[pgers]/.test(brand)) return 'video/3gpp'
	if (UNSUPPORTED_BRANDS.includes(brand)) return 'application/octet-stream'
	return OTHER_BRANDS[brand] ?? 'video/mp4'
}
