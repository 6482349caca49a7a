import { inflateRawSync } from 'node:zlib'

const END = 0x06_05_4b_50
const ENTRY = 0x02_01_4b_50
const STORED = 0
const DEFLATED = 8
const MAX_PARTS = 2000

export const UNREADABLE = 'This is not an Excel file that can be read: save it as .xlsx or .csv and try again'
const OLD = 'This is an old or protected Excel file: open it in Excel and save it as .xlsx without a password'
const TOO_LARGE = 'This Excel file is too large when unpacked: save it as .csv instead'

/** Why a zip file should not be unpacked, or null. Each part is unpacked once here, since the sizes it claims may be lies. */
export function checkUnpacked(bytes: Buffer, maxBytes: number): string | null {
	if (bytes.readUIntBE(0, Math.min(4, bytes.length) || 1) === 0xd0_cf_11_e0) return OLD
	const end = bytes.subarray(-66_000).lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
	const start = end < 0 ? -1 : Math.max(0, bytes.length - 66_000) + end
	if (start < 0 || start + 22 > bytes.length || bytes.readUInt32LE(start) !== END) return UNREADABLE
	const parts = bytes.readUInt16LE(start + 10)
	if (parts === 0xff_ff || parts > MAX_PARTS) return TOO_LARGE
	try {
		return checkParts(bytes, { at: bytes.readUInt32LE(start + 16), parts }, maxBytes)
	} catch {
		return UNREADABLE
	}
}

function checkParts(bytes: Buffer, list: { at: number; parts: number }, maxBytes: number): string | null {
	let at = list.at
	let left = maxBytes
	for (let part = 0; part < list.parts; part++) {
		if (bytes.readUInt32LE(at) !== ENTRY) return UNREADABLE
		const method = bytes.readUInt16LE(at + 10)
		const packed = bytes.readUInt32LE(at + 20)
		const claimed = bytes.readUInt32LE(at + 24)
		if (method !== STORED && method !== DEFLATED) return UNREADABLE
		if (claimed > left || packed > bytes.length) return TOO_LARGE
		const size =
			method === STORED ? packed : unpackedSize(bytes, { at: bytes.readUInt32LE(at + 42), packed, most: left })
		if (size === null) return TOO_LARGE
		left -= size
		at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
	}
	return left < 0 ? TOO_LARGE : null
}

/** Null when it is more than `most`. */
function unpackedSize(
	bytes: Buffer,
	{ at, packed, most }: { at: number; packed: number; most: number },
): number | null {
	const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
	try {
		return inflateRawSync(bytes.subarray(from, from + packed), { maxOutputLength: Math.max(1, most) }).length
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null
		throw error
	}
}
