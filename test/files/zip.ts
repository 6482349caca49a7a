import { crc32, deflateRawSync } from 'node:zlib'

export interface Part {
	name: string
	content: string | Buffer
	/** Unpacked size in the file's header; by default the true size. */
	claimedSize?: number
	/** Marks the part as encrypted with a password. */
	isEncrypted?: boolean
	/** Makes the part claim the bytes of the part before it. */
	isOverlapping?: boolean
}

/** Returns a zip file of these parts, for tests that need a file which no program would write. */
export function zip(parts: Part[]): Buffer {
	const bodies: Buffer[] = []
	const entries: Buffer[] = []
	let at = 0
	for (const { name, content, claimedSize, isEncrypted = false, isOverlapping = false } of parts) {
		const plain = typeof content === 'string' ? Buffer.from(content) : content
		const { packed, checksum } = pack(plain)
		const facts = Buffer.alloc(26)
		facts.writeUInt16LE(20, 0)
		facts.writeUInt16LE(isEncrypted ? 1 : 0, 2)
		facts.writeUInt16LE(8, 4)
		facts.writeUInt32LE(checksum, 10)
		facts.writeUInt32LE(packed.length, 14)
		facts.writeUInt32LE(claimedSize ?? plain.length, 18)
		facts.writeUInt16LE(Buffer.byteLength(name), 22)
		const body = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name), packed])
		const place = Buffer.alloc(14)
		place.writeUInt32LE(isOverlapping ? at - (bodies.at(-1)?.length ?? 0) : at, 10)
		entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, Buffer.from(name)]))
		bodies.push(body)
		at += body.length
	}
	const list = Buffer.concat(entries)
	const end = Buffer.alloc(22)
	end.write('PK\x05\x06', 0, 'latin1')
	end.writeUInt16LE(parts.length, 8)
	end.writeUInt16LE(parts.length, 10)
	end.writeUInt32LE(list.length, 12)
	end.writeUInt32LE(at, 16)
	return Buffer.concat([...bodies, list, end])
}

const known = new WeakMap<Buffer, { packed: Buffer; checksum: number }>()

/** Packs the bytes at the fastest level, and a buffer that several parts share only once. */
function pack(plain: Buffer): { packed: Buffer; checksum: number } {
	const found = known.get(plain) ?? { packed: deflateRawSync(plain, { level: 1 }), checksum: crc32(plain) }
	known.set(plain, found)
	return found
}
