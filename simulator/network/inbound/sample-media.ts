import { crc32, deflateSync } from 'node:zlib'

export interface Sample {
	bytes: Buffer
	mime_type: string
	file_name: string | null
}

/** Returns a small real file of a kind, or null for a kind without files. Simulated customers send these. */
export function sampleOf(kind: string): Sample | null {
	if (kind === 'image') return { bytes: picture(320, 200), mime_type: 'image/png', file_name: null }
	if (kind === 'document') return { bytes: page(), mime_type: 'application/pdf', file_name: 'order.pdf' }
	if (kind === 'audio') return { bytes: silence(), mime_type: 'audio/mpeg', file_name: null }
	if (kind === 'video') return { bytes: emptyVideo(), mime_type: 'video/mp4', file_name: null }
	if (kind === 'sticker') return { bytes: Buffer.from(STICKER, 'base64'), mime_type: 'image/webp', file_name: null }
	return null
}

// One transparent pixel.
const STICKER = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='

function picture(width: number, height: number): Buffer {
	const rows = Buffer.alloc(height * (width * 3 + 1))
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = y * (width * 3 + 1) + 1 + x * 3
			rows[at] = 40 + Math.floor((x / width) * 120)
			rows[at + 1] = 150
			rows[at + 2] = 90 + Math.floor((y / height) * 120)
		}
	}
	const size = Buffer.alloc(13)
	size.writeUInt32BE(width, 0)
	size.writeUInt32BE(height, 4)
	size.set([8, 2, 0, 0, 0], 8)
	const head = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
	return Buffer.concat([head, chunk('IHDR', size), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
	const length = Buffer.alloc(4)
	length.writeUInt32BE(data.length)
	const sum = Buffer.alloc(4)
	sum.writeUInt32BE(crc32(named))
	return Buffer.concat([length, named, sum])
}

function page(): Buffer {
	const text = 'BT /F1 24 Tf 60 740 Td (Order list) Tj ET'
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
		`<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	]
	let file = '%PDF-1.4\n'
	const offsets = objects.map((object, index) => {
		const offset = file.length
		file += `${index + 1} 0 obj\n${object}\nendobj\n`
		return `${String(offset).padStart(10, '0')} 00000 n \n`
	})
	const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
	return Buffer.from(`${file}${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`, 'latin1')
}

// Returns one second of silent MP3 frames: each a header followed by zeros.
function silence(): Buffer {
	const frame = Buffer.alloc(417)
	frame.set([0xff, 0xfb, 0x90, 0x00])
	return Buffer.concat(Array.from({ length: 38 }, () => frame))
}

function emptyVideo(): Buffer {
	const type = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
	return Buffer.concat([type, Buffer.from('\0\0\0\x08mdat', 'latin1')])
}
