import { inflateSync } from 'node:zlib'

/** Sizes and places of WOFF 1.0 and of the font format in it, in bytes. */
const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const HEADER = 12
const ENTRY = 16

/**
 * The font in a WOFF file, unpacked. pdfkit reads either, but it would unpack each table anew for each document, and more slowly
 * than zlib.
 */
export function unpackWoff(woff: Buffer): Buffer {
	const count = woff.readUInt16BE(12)
	const tables = Array.from({ length: count }, (_, index) => {
		const at = WOFF_HEADER + index * WOFF_ENTRY
		const [offset, packed, length] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8), woff.readUInt32BE(at + 12)]
		const bytes = woff.subarray(offset, offset + packed)
		return {
			tag: woff.subarray(at, at + 4),
			checksum: woff.subarray(at + 16, at + 20),
			bytes: packed < length ? inflateSync(bytes) : bytes,
		}
	})
	const directory = Buffer.alloc(HEADER + count * ENTRY)
	const power = Math.floor(Math.log2(count))
	woff.copy(directory, 0, 4, 8)
	directory.writeUInt16BE(count, 4)
	directory.writeUInt16BE(2 ** power * ENTRY, 6)
	directory.writeUInt16BE(power, 8)
	directory.writeUInt16BE((count - 2 ** power) * ENTRY, 10)
	let offset = directory.length
	const parts = tables.map(({ tag, checksum, bytes }, index) => {
		const at = HEADER + index * ENTRY
		tag.copy(directory, at)
		checksum.copy(directory, at + 4)
		directory.writeUInt32BE(offset, at + 8)
		directory.writeUInt32BE(bytes.length, at + 12)
		// Tables begin at multiples of four.
		const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
		offset += padded.length
		return padded
	})
	return Buffer.concat([directory, ...parts])
}
