/** Number of bytes of a message that are stored: enough for the text of any statement. */
const KEPT_BYTES = 65_536
const MAX_MESSAGE_BYTES = 2 ** 30
const SSL_REQUEST = 80_877_103
const GSS_REQUEST = 80_877_104
const CANCEL_REQUEST = 80_877_102

interface Message {
	/** Type of the message, one letter; empty for the messages that open a connection, which have none. */
	type: string
	body: Buffer
	/**
	 * Positions of the message's start and end in the chunk that completed it; `start` is 0 if the message began in an earlier
	 * chunk.
	 */
	start: number
	end: number
}

/** Finds the messages of PostgreSQL's protocol in one direction of a stream, in chunks of any size. */
class MessageReader {
	isTyped: boolean
	/** Number of bytes to skip before the next message, such as the one-byte answer to a request for encryption. */
	skip = 0
	/** True for a stream that is encrypted or not PostgreSQL's; the rest is not read. */
	isLost = false
	readonly #header = Buffer.alloc(5)
	#headerLength = 0
	#left = 0
	#kept: Buffer[] = []
	#keptBytes = 0

	constructor(isTyped: boolean) {
		this.isTyped = isTyped
	}

	read(chunk: Buffer, take: (message: Message) => void): void {
		let at = Math.min(this.skip, chunk.length)
		this.skip -= at
		let start = at
		while (at < chunk.length && !this.isLost) {
			const size = this.isTyped ? 5 : 4
			if (this.#headerLength < size) {
				if (this.#headerLength === 0) start = at
				at += this.#readHeader(chunk.subarray(at), size)
				if (this.#headerLength < size || this.isLost) return
			}
			const part = chunk.subarray(at, at + this.#left)
			this.#keep(part)
			at += part.length
			this.#left -= part.length
			if (this.#left > 0) return
			take({ ...this.#finish(), start, end: at })
			start = at
		}
	}

	#readHeader(rest: Buffer, size: number): number {
		const copied = rest.copy(this.#header, this.#headerLength, 0, size - this.#headerLength)
		this.#headerLength += copied
		if (this.#headerLength < size) return copied
		this.#left = this.#header.readUInt32BE(size - 4) - 4
		this.isLost = this.#left < 0 || this.#left > MAX_MESSAGE_BYTES
		return copied
	}

	#keep(part: Buffer): void {
		const kept = part.subarray(0, KEPT_BYTES - this.#keptBytes)
		if (kept.length === 0) return
		this.#kept.push(Buffer.from(kept))
		this.#keptBytes += kept.length
	}

	#finish(): Pick<Message, 'type' | 'body'> {
		const message = {
			type: this.isTyped ? String.fromCharCode(this.#header[0] ?? 0) : '',
			body: Buffer.concat(this.#kept),
		}
		this.#headerLength = 0
		this.#kept = []
		this.#keptBytes = 0
		return message
	}
}

/** Derives the state of one session from the traffic of its connection. Does not change the traffic; the proxy forwards it. */
export class PostgresSession {
	/** `application_name` that the client gave when it connected. */
	applicationName = ''
	/** Statements executed since the session was last idle outside a transaction. */
	statements: string[] = []
	isInTransaction = false
	/** Number of "ready for query" messages that the server still owes. */
	outstanding = 0
	readonly #client = new MessageReader(false)
	readonly #server = new MessageReader(true)
	/** Texts of prepared statements by name, because a Bind contains only the name. */
	readonly #prepared = new Map<string, string>()

	/** Reads bytes from the client. `onStatement` gets each executed statement and the position of its message in the chunk. */
	readClient(chunk: Buffer, onStatement: (text: string, start: number) => void): void {
		this.#client.read(chunk, ({ type, body, start }) => {
			if (type === '') this.#readStartup(body)
			if (type === 'P') this.#prepared.set(textAt(body, 0), textAt(body, textAt(body, 0, 'latin1').length + 1))
			if (type === 'C' && body[0] === 0x53) this.#prepared.delete(textAt(body, 1))
			const text = type === 'Q' ? textAt(body, 0) : type === 'B' ? this.#textOfBind(body) : undefined
			if (text !== undefined) {
				this.statements.push(text)
				onStatement(text, start)
			}
			if (type === 'Q' || type === 'S' || type === 'F') this.outstanding++
		})
	}

	/** Reads bytes from the server. `onReady` gets the end of each "ready for query" in the chunk. */
	readServer(chunk: Buffer, onReady: (end: number) => void): void {
		if (this.#server.skip > 0 && chunk[0] === 0x53) this.#server.isLost = this.#client.isLost = true
		this.#server.read(chunk, ({ type, body, end }) => {
			if (type !== 'Z') return
			this.outstanding--
			this.isInTransaction = body.toString('latin1') !== 'I'
			if (!this.isInTransaction && this.outstanding === 0) this.statements = []
			onReady(end)
		})
	}

	#readStartup(body: Buffer): void {
		const code = body.length < 4 ? 0 : body.readUInt32BE(0)
		if (code === CANCEL_REQUEST) return
		if (code === SSL_REQUEST || code === GSS_REQUEST) {
			this.#server.skip = 1
			return
		}
		const words = body.toString('utf8', 4).split('\0')
		const place = words.indexOf('application_name')
		this.applicationName = place < 0 ? '' : (words[place + 1] ?? '')
		this.#client.isTyped = true
		this.outstanding = 1
	}

	#textOfBind(body: Buffer): string {
		const portal = textAt(body, 0, 'latin1')
		return this.#prepared.get(textAt(body, portal.length + 1)) ?? ''
	}
}

function textAt(body: Buffer, start: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
	const end = body.indexOf(0, start)
	return body.toString(encoding, start, end < 0 ? body.length : end)
}
