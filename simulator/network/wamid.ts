import { createHmac, randomBytes } from 'node:crypto'

// Serial prefix that differs for every process, so that two runs with the same journal never issue the same id.
const RUN = randomBytes(4).toString('hex').toUpperCase()
const SENT = '\x11'
const RECEIVED = '\x12'
let received = 0

/** Returns the id of a message from a business in Meta's format: base64 of the number, the direction and a serial. */
export function newWamid(waId: string, seq: number): string {
	return wamidOf(waId, SENT, `${RUN}${hex(seq, 10)}`)
}

/**
 * Returns the id of a message to a business. A signature in the id lets the simulator recognise it without a list of all ids.
 */
export function newInboundWamid(phoneNumberId: string, waId: string): string {
	const serial = `${RUN}${hex(++received, 8)}`
	return wamidOf(waId, RECEIVED, `${serial}${signatureOf(phoneNumberId, waId, serial)}`)
}

/** Returns the direction of a message from the number's view, or null if the number neither sent nor received it. */
export function directionOf(wamid: string, phoneNumberId: string): 'sent' | 'received' | null {
	const raw = Buffer.from(wamid.slice('wamid.'.length), 'base64').toString('latin1')
	const [, waId = '', direction, serial = ''] = FORMAT.exec(raw) ?? []
	if (!wamid.startsWith('wamid.') || direction === undefined) return null
	if (direction === SENT) return 'sent'
	return serial.slice(16) === signatureOf(phoneNumberId, waId, serial.slice(0, 16)) ? 'received' : null
}

// oxlint-disable-next-line no-control-regex
const FORMAT = /^\x1c\x18[^](\d*)\x15\x02\x00([\x11\x12])\x18[^]([0-9A-F]+)\x00$/

function wamidOf(waId: string, direction: string, serial: string): string {
	const [waIdLength, serialLength] = [waId, serial].map((part) => String.fromCharCode(part.length))
	const raw = `\x1c\x18${waIdLength}${waId}\x15\x02\x00${direction}\x18${serialLength}${serial}\x00`
	return `wamid.${Buffer.from(raw, 'latin1').toString('base64')}`
}

function signatureOf(phoneNumberId: string, waId: string, serial: string): string {
	const signature = createHmac('sha256', 'message id').update(`${phoneNumberId} ${waId} ${serial}`).digest('hex')
	return signature.slice(0, 6).toUpperCase()
}

function hex(value: number, digits: number): string {
	return value.toString(16).toUpperCase().padStart(digits, '0')
}
