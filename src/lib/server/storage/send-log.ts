import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '#lib/durations.ts'
import { DiskLog, isStaleDiskLog, takeDiskLog } from './disk-log.ts'

/**
 * Records which messages of a claim were handed to a connection, so that the others can be sent after a crash of the process. The
 * file survives `kill -9` but not a restart of the machine. Without a whole log every message of the claim counts as possibly sent.
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
const STALE_AFTER_MS = DAY_MS

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id'
/** Id of this boot of the machine, or null if it is unknown. A log of an earlier boot may lack its end and is not used. */
const BOOT_ID = existsSync(BOOT_ID_FILE) ? readFileSync(BOOT_ID_FILE, 'utf8').trim() : null

function pathOf({ worker, account, epoch, batch }: SendLogName, folder: string): string | null {
	const name = `${worker.replace(/[^\w.-]/g, '_')}-${account}-${epoch}-${batch}`
	return BOOT_ID && join(folder, `${PREFIX}${BOOT_ID}-${name}`)
}

/** Opens a claim's log, before the claim is committed. Passes an error that leaves the claim without a log to `onMissing`; its messages are sent all the same. */
export function openSendLog(
	name: SendLogName,
	{ folder = tmpdir(), onMissing = () => {} }: { folder?: string; onMissing?: (error: unknown) => void } = {},
): SendLog {
	const path = pathOf(name, folder)
	let log: DiskLog | null = null
	try {
		if (path !== null) log = new DiskLog(path)
	} catch (error) {
		onMissing(error)
	}
	const record = Buffer.alloc(RECORD_BYTES)
	return {
		note(seq) {
			if (!log) return
			record.writeInt32LE(seq, 0)
			try {
				log.append(record)
			} catch (error) {
				// A log with a gap is worse than none. `invalidate` throws if another worker has taken the log, so that the
				// message is not sent.
				log.invalidate(RECORD_BYTES - 1)
				log = null
				onMissing(error)
			}
		},
		close() {
			log?.remove()
			log = null
		},
	}
}

/**
 * Takes the log of a claim from its worker and returns the messages that were handed to a connection, or null without a whole log.
 * A worker that still lives sends no more messages of the claim.
 */
export function takeSendLog(name: SendLogName, { folder = tmpdir() } = {}): Set<number> | null {
	const path = pathOf(name, folder)
	if (path === null) return null
	try {
		const content = takeDiskLog(path)
		if (content.length % RECORD_BYTES !== 0) return null
		return new Set(
			Array.from({ length: content.length / RECORD_BYTES }, (_, at) => content.readInt32LE(at * RECORD_BYTES)),
		)
	} catch {
		return null
	}
}

/** Removes logs that crashed workers left of claims settled long ago. */
export function removeStaleSendLogs({ folder = tmpdir() } = {}): void {
	for (const name of readdirSync(folder)) {
		const path = join(folder, name)
		if (name.startsWith(PREFIX) && isStaleDiskLog(path, STALE_AFTER_MS)) rmSync(path, { force: true })
	}
}
