import { randomBytes } from 'node:crypto'

// Differs for every process, so that two runs on the same journal never issue the same id.
const RUN = randomBytes(4).toString('hex').toUpperCase()

/** A message id in Meta's format: base64 over the number and a serial. */
export function newWamid(waId: string, seq: number): string {
	const serial = `${RUN}${seq.toString(16).toUpperCase().padStart(10, '0')}`
	const raw = `\x1d\x18${String.fromCharCode(waId.length)}${waId}\x15\x02\x00\x11\x18\x12${serial}\x00`
	return `wamid.${Buffer.from(raw, 'latin1').toString('base64')}`
}
