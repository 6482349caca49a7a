import {
	closeSync,
	fstatSync,
	ftruncateSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Records which messages of a claim were handed to a connection, so that after a crash of this process the others can be
 * sent instead of counting as unknown. An optimisation, not needed for safety: the file is in the operating system's cache,
 * survives `kill -9` but not a restart of the machine, and without a complete log every message of the claim counts as
 * possibly sent.
 */
export interface SendLog {
	/** Records a message. Called right before its first byte is sent; if it throws, the message must not be sent. */
	note(seq: number): void
	/** Removes the log of a settled claim. */
	close(): void
}

/** The name of one claim, unique among all databases and workers of this machine. */
export interface SendLogName {
	worker: string
	account: number
	epoch: number
	batch: number
}

const RECORD_BYTES = 4
const PREFIX = 'send-log-'
/** Age in milliseconds of a log's last record at which its claim counts as settled. */
const STALE_AFTER_MS = 86_400_000

/**
 * Returns the id of this boot of the machine; null when unknown. A log of an earlier boot may have lost its end and is
 * not used.
 */
function readBootId(): string | null {
	try {
		return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
	} catch {
		return null
	}
}

const BOOT_ID = readBootId()

function pathOf({ worker, account, epoch, batch }: SendLogName, folder: string): string | null {
	const name = `${worker.replace(/[^\w.-]/g, '_')}-${account}-${epoch}-${batch}`
	return BOOT_ID && join(folder, `${PREFIX}${BOOT_ID}-${name}`)
}

export interface SendLogOptions {
	folder?: string
	/** Called with the error when a log cannot be opened or written. */
	onMissing?: (error: unknown) => void
	write?: (file: number, record: Buffer) => number
}

/** Opens a claim's log. Messages are sent without a log if that fails. */
export function openSendLog(
	name: SendLogName,
	{ folder = tmpdir(), onMissing = () => {}, write = writeSync }: SendLogOptions = {},
): SendLog {
	const path = pathOf(name, folder)
	let file: number | null = null
	try {
		if (path !== null) file = openSync(path, 'ax', 0o600)
	} catch (error) {
		onMissing(error)
	}
	const record = Buffer.alloc(RECORD_BYTES)
	const forget = () => {
		if (file === null || path === null) return
		rmSync(path, { force: true })
		closeSync(file)
		file = null
	}
	/** Removes a log with a gap, or cuts it to an invalid length. Throws when neither works. */
	const invalidate = (descriptor: number) => {
		refuseIfTaken(descriptor)
		try {
			forget()
		} catch {
			ftruncateSync(descriptor, RECORD_BYTES - 1)
		}
	}
	return {
		note(seq) {
			if (file === null) return
			record.writeInt32LE(seq, 0)
			try {
				if (write(file, record) !== RECORD_BYTES) throw new Error('the disk is full')
			} catch (error) {
				invalidate(file)
				onMissing(error)
				return
			}
			// Recovery unlinks the file before it reads it. So either the file is gone here and the message is not sent, or
			// recovery sees the record and does not send the message again.
			refuseIfTaken(file)
		},
		close: forget,
	}
}

function refuseIfTaken(file: number): void {
	if (fstatSync(file).nlink === 0) throw new Error('another worker has taken over this sender')
}

/**
 * Takes the log of a claim from its earlier worker. Returns the messages that reached a connection; null without a
 * complete log. That worker sends nothing more of this claim if it is still alive.
 */
export function takeSendLog(name: SendLogName, { folder = tmpdir() } = {}): Set<number> | null {
	const path = pathOf(name, folder)
	if (path === null) return null
	try {
		const file = openSync(path, 'r')
		const content = takeContent(file, path)
		if (content.length % RECORD_BYTES !== 0) return null
		return new Set(
			Array.from({ length: content.length / RECORD_BYTES }, (_, at) => content.readInt32LE(at * RECORD_BYTES)),
		)
	} catch {
		return null
	}
}

/** Unlinks the file before reading it, so that a later record fails because the file is gone. */
function takeContent(file: number, path: string): Buffer {
	try {
		rmSync(path)
		return readFileSync(file)
	} finally {
		closeSync(file)
	}
}

/** Removes logs of settled claims that crashed workers have left. */
export function removeStaleSendLogs({ folder = tmpdir() } = {}): void {
	const now = Date.now()
	for (const name of readdirSync(folder).filter((entry) => entry.startsWith(PREFIX))) {
		const path = join(folder, name)
		const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
		if (now - changedAt > STALE_AFTER_MS) rmSync(path, { force: true })
	}
}
