import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { COUNTED_PATH, PLACES_PER_PART, SIGNATURE_BYTES } from '../counted-link.ts'
import { MAX_CARDS } from '../limits.ts'

/** The link of one button of one message. */
export interface MessageLink {
	account: number
	campaignId: number
	seq: number
	/** Place of the button in the template, as `placeOfButton` numbers it. */
	button: number
}

/** The link of a template's example, which `template_links` holds by account and token. */
export interface ExampleLink {
	account: number
	token: string
}

/**
 * Signs and reads the tokens of counted links. No token holds a target: each names the row from which the target is
 * read.
 */
export interface Links {
	/** Returns a new example of the account: its token, and the address and example of a button for Meta. */
	example(account: number): { token: string; url: string; url_example: string }
	/** Returns the token at the end of a message's link. */
	tokenOf(link: MessageLink): string
	/**
	 * Returns the message or the example that a token names; null for a token that this installation has not signed.
	 */
	read(token: string): MessageLink | ExampleLink | null
}

interface LinkSettings {
	SECRET_KEY: Buffer
	SECRET_KEYS_OLD: readonly Buffer[]
	LINK_URL?: string | undefined
	PUBLIC_URL: string
}

/**
 * Function that returns the marks of the restore generations that may have sent a message with these ids, the latest
 * first.
 */
type MarksOf = (message: Pick<MessageLink, 'campaignId' | 'seq'>) => readonly string[]

/** The first byte of a message's token, to which the button's index is added. */
const MESSAGE_VERSION = 0x10
/** The same for a button of a card, whose position from 1 is the last number of the token. */
const CARD_VERSION = 0x40
/** The first byte of an example's token. Tokens that begin with 0x20 held their target, and are refused. */
const EXAMPLE_VERSION = 0x30
/** Random bytes of an example's token. */
const EXAMPLE_BYTES = 8
const MAX_TOKEN_LENGTH = 100

export function createLinks(settings: LinkSettings, marksOf: MarksOf): Links {
	const keys = [settings.SECRET_KEY, ...settings.SECRET_KEYS_OLD].map((key) =>
		Buffer.from(hkdfSync('sha256', key, '', 'counted links', 32)),
	)
	const [key = Buffer.alloc(0)] = keys
	const isSigned = (payload: Buffer, signature: Buffer, marks: readonly string[]) =>
		keys.some((each) => marks.some((mark) => timingSafeEqual(signatureOf(each, payload, mark), signature)))
	return {
		example(account) {
			const payload = Buffer.from([EXAMPLE_VERSION, ...varint(account), ...randomBytes(EXAMPLE_BYTES)])
			const token = withSignature(key, payload, '')
			// Tests set PUBLIC_URL after the start, when they know their port.
			const address = (settings.LINK_URL ?? settings.PUBLIC_URL).replace(/\/$/, '') + COUNTED_PATH
			return { token, url: `${address}{{1}}`, url_example: address + token }
		},
		tokenOf(link) {
			const { account, campaignId, seq, button } = link
			const [card, index] = [Math.floor(button / PLACES_PER_PART), button % PLACES_PER_PART]
			const version = (card === 0 ? MESSAGE_VERSION : CARD_VERSION) + index
			const numbers = [account, campaignId, seq, ...(card === 0 ? [] : [card])]
			const payload = Buffer.from([version, ...numbers.flatMap(varint)])
			return withSignature(key, payload, marksOf(link)[0] ?? '')
		},
		read(token) {
			if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]{16,}$/.test(token)) return null
			const bytes = Buffer.from(token, 'base64url')
			// Different last characters can decode to the same bytes; only the canonical token is accepted.
			if (bytes.toString('base64url') !== token) return null
			const payload = bytes.subarray(0, -SIGNATURE_BYTES)
			const signature = bytes.subarray(-SIGNATURE_BYTES)
			const account = readExample(payload)
			if (account !== null) return isSigned(payload, signature, ['']) ? { account, token } : null
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

/** Decodes the bytes of consecutive varints. The last number is 0 when the bytes end with a whole varint. */
function readVarints(bytes: Iterable<number>): number[] {
	const numbers = [0]
	let factor = 1
	for (const byte of bytes) {
		numbers.push((numbers.pop() ?? 0) + (byte % 128) * factor)
		factor *= 128
		if (byte < 128) {
			numbers.push(0)
			factor = 1
		}
	}
	return numbers
}

function readMessage(payload: Buffer): MessageLink | null {
	const [first = 0, ...rest] = payload
	const numbers = readVarints(rest)
	const hasCard = first >> 4 === CARD_VERSION >> 4
	const end = numbers.pop()
	const [account, campaignId, seq, card = 0] = numbers
	const isWhole =
		end === 0 && numbers.length === (hasCard ? 4 : 3) && numbers.every((number) => Number.isSafeInteger(number))
	if (!isWhole || account === undefined || campaignId === undefined || seq === undefined) return null
	if (hasCard ? card < 1 || card > MAX_CARDS : first >> 4 !== MESSAGE_VERSION >> 4) return null
	return { account, campaignId, seq, button: card * PLACES_PER_PART + (first % PLACES_PER_PART) }
}

/** Returns the account of an example's payload; null for another payload. */
function readExample(payload: Buffer): number | null {
	if (payload[0] !== EXAMPLE_VERSION || payload.length < EXAMPLE_BYTES + 2) return null
	const [account, end, ...others] = readVarints(payload.subarray(1, -EXAMPLE_BYTES))
	const isWhole = end === 0 && others.length === 0 && Number.isSafeInteger(account)
	return isWhole ? (account ?? null) : null
}
