/** Brands of ISO media files that are no MP4 video: pictures, sound alone, QuickTime. */
const OTHER_BRANDS = new Set(['qt  ', 'heic', 'heix', 'mif1', 'msf1', 'avif', 'avis', 'M4A ', 'M4B ', 'crx '])

/** What a file is by its first bytes, whatever its name says: the types that WhatsApp takes for headers; null for any other. */
export function fileTypeOf(content: Uint8Array): string | null {
	const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 16))
	const startsWith = (bytes: string) => head.toString('latin1', 0, bytes.length) === bytes
	if (startsWith('\xff\xd8\xff')) return 'image/jpeg'
	if (startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
	if (startsWith('%PDF-')) return 'application/pdf'
	if (head.length < 12 || head.toString('latin1', 4, 8) !== 'ftyp') return null
	const brand = head.toString('latin1', 8, 12)
	if (/^3g[p2]/.test(brand)) return 'video/3gpp'
	return OTHER_BRANDS.has(brand) ? null : 'video/mp4'
}
