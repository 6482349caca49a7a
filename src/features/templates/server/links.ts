import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { COUNTED_PATH, plainTarget, SIGNATURE_BYTES, TARGET_VERSION, targetIn } from '../counted-link.ts'

/** One button of one message. */
export interface MessageLink {
	account: number
	campaignId: number
	seq: number
	/** Index of the button in the template, from 0. */
	button: number
}

/** Addresses of counted buttons. A token contains all its data, so no row is written before a click. */
export interface Links {
	/** Returns the fields of a counted button for Meta: its address, and an example for the review. */
	buttonTo(target: string): { url: string; url_example: string }
	/** Returns the ending of a message's address. */
	tokenOf(link: MessageLink): string
	/** Returns the message, or for an example's token its target; null for a token that is not signed by us. */
	read(token: string): MessageLink | { target: string } | null
}

interface LinkSettings {
	SECRET_KEY: Buffer
	SECRET_KEYS_OLD: readonly Buffer[]
	LINK_URL?: string | undefined
	PUBLIC_URL: string
}

/** Returns the marks of the restore generations that may have sent a message, the latest first. */
type MarksOf = (message: Pick<MessageLink, 'campaignId' | 'seq'>) => readonly string[]

/** First byte of a message's token, to which the button's index is added. */
const MESSAGE_VERSION = 0x10
const MAX_TOKEN_LENGTH = 1000

export function createLinks(settings: LinkSettings, marksOf: MarksOf): Links {
	const keys = [settings.SECRET_KEY, ...settings.SECRET_KEYS_OLD].map((key) =>
		Buffer.from(hkdfSync('sha256', key, '', 'counted links', 32)),
	)
	const [key = Buffer.alloc(0)] = keys
	const isSigned = (payload: Buffer, signature: Buffer, marks: readonly string[]) =>
		keys.some((each) => marks.some((mark) => timingSafeEqual(signatureOf(each, payload, mark), signature)))
	return {
		buttonTo(target) {
			// Read late, because tests know their port, and so their address, only after the start.
			const address = (settings.LINK_URL ?? settings.PUBLIC_URL).replace(/\/$/, '') + COUNTED_PATH
			const payload = Buffer.concat([Buffer.of(TARGET_VERSION), Buffer.from(plainTarget(target) ?? '', 'latin1')])
			return { url: `${address}{{1}}`, url_example: address + withSignature(key, payload, '') }
		},
		tokenOf(link) {
			const { account, campaignId, seq, button } = link
			const payload = Buffer.from([MESSAGE_VERSION + button, ...varint(account), ...varint(campaignId), ...varint(seq)])
			return withSignature(key, payload, marksOf(link)[0] ?? '')
		},
		read(token) {
			if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]{16,}$/.test(token)) return null
			const bytes = Buffer.from(token, 'base64url')
			// Different last characters can decode to the same bytes; only the canonical token is accepted.
			if (bytes.toString('base64url') !== token) return null
			const payload = bytes.subarray(0, -SIGNATURE_BYTES)
			const signature = bytes.subarray(-SIGNATURE_BYTES)
			const target = targetIn(token)
			if (target !== null) return isSigned(payload, signature, ['']) ? { target } : null
			const link = readMessage(payload)
			return link && isSigned(payload, signature, marksOf(link)) ? link : null
		},
	}
}

/** Signs with eight bytes: too many to guess over a network, and short enough for an address. */
function signatureOf(key: Buffer, payload: Buffer, mark: string): Buffer {
	return createHmac('sha256', key).update(payload).update(mark).digest().subarray(0, SIGNATURE_BYTES)
}

function withSignature(key: Buffer, payload: Buffer, mark: string): string {
	return Buffer.concat([payload, signatureOf(key, payload, mark)]).toString('base64url')
}

/** Encodes a number in groups of seven bits, the lowest first; all bytes except the last have the highest bit set. */
function varint(value: number): number[] {
	return value < 128 ? [value] : [128 + (value % 128), ...varint(Math.floor(value / 128))]
}

function readMessage(payload: Buffer): MessageLink | null {
	const [first = 0, ...rest] = payload
	const numbers = [0]
	let factor = 1
	for (const byte of rest) {
		numbers.push((numbers.pop() ?? 0) + (byte % 128) * factor)
		factor *= 128
		if (byte < 128) {
			numbers.push(0)
			factor = 1
		}
	}
	const [account, campaignId, seq, end] = numbers
	const isWhole = numbers.length === 4 && end === 0 && numbers.every((number) => Number.isSafeInteger(number))
	if (!isWhole || account === undefined || campaignId === undefined || seq === undefined) return null
	return first >> 4 === MESSAGE_VERSION >> 4 ? { account, campaignId, seq, button: first % 16 } : null
}
