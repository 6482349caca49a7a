import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Remembers, beyond the death of this process, which claimed messages were really handed to a connection, so that those
 * that were not can be sent after all instead of being given up as unknown. A hint, never needed for safety: the log lives
 * in the operating system's memory, survives `kill -9` but no restart of the machine, and where it cannot be read every
 * claimed message counts as possibly sent.
 */
export interface WireLog {
	/** Call right before the first byte goes out; throws when another worker has taken over, and then it must not. */
	note(claimId: number, seq: number): void
	/** The worker has no claim left: the log is not needed any more. */
	close(): void
}

const RECORD_BYTES = 12
const PREFIX = 'wire-log-'
/** A log that has not been written to for a day, in milliseconds, is nobody's: claims are settled long before. */
const STALE_AFTER = 86_400_000

/** Changes with every start of the machine; without it a log could claim too little after one, so then there is none. */
function bootId(): string | null {
	try {
		return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
	} catch {
		return null
	}
}

function placeOf(worker: string): string | null {
	const boot = bootId()
	return boot && join(tmpdir(), `${PREFIX}${boot}-${worker.replace(/[^\w.-]/g, '_')}`)
}

export function openWireLog(worker: string): WireLog {
	const place = placeOf(worker)
	let file = place === null ? null : openSync(place, 'ax', 0o600)
	const record = Buffer.alloc(RECORD_BYTES)
	const forget = () => {
		if (file !== null) closeSync(file)
		if (place !== null) rmSync(place, { force: true })
		file = null
	}
	return {
		note(claimId, seq) {
			if (file === null) return
			record.writeDoubleLE(claimId, 0)
			record.writeInt32LE(seq, 8)
			try {
				writeSync(file, record)
			} catch {
				// A log with gaps would be worse than none: the disk is full.
				return forget()
			}
			// Whoever takes over removes the file first and reads it then. So either it is gone here, and the message stays,
			// or its record is seen there, and nobody sends it again.
			if (fstatSync(file).nlink === 0) throw new Error('another worker has taken over this sender')
		},
		close: forget,
	}
}

/**
 * Takes the log of a worker that no longer drives its sender: the messages that it had handed over, as `claimId:seq`.
 * Null where that cannot be known. Should that worker still live, it sends nothing more.
 */
export function takeWireLog(worker: string): Set<string> | null {
	const place = placeOf(worker)
	if (place === null) return null
	let content: Buffer
	try {
		const file = openSync(place, 'r')
		rmSync(place)
		content = readFileSync(file)
		closeSync(file)
	} catch {
		return null
	}
	const handed = new Set<string>()
	for (let at = 0; at + RECORD_BYTES <= content.length; at += RECORD_BYTES) {
		handed.add(`${content.readDoubleLE(at)}:${content.readInt32LE(at + 8)}`)
	}
	return handed
}

/** Removes what workers left behind that died without a claim. */
export function removeStaleWireLogs(): void {
	const now = Date.now()
	for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
		const place = join(tmpdir(), name)
		const changedAt = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? now
		if (now - changedAt > STALE_AFTER) rmSync(place, { force: true })
	}
}
