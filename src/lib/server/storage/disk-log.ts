import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'

const syncData = promisify(fs.fdatasync)

/**
 * A file to which one process appends until another process takes it over by deleting it. An append looks for the deletion after its
 * write: a record is thus either seen by the process that deletes the file and then reads it, or its append throws.
 */
export class DiskLog {
	readonly #path: string
	/** Descriptor of the file; -1, which every call refuses, after the log is closed. */
	#file: number

	/** Creates the file, which must not exist. */
	constructor(path: string) {
		this.#path = path
		this.#file = fs.openSync(path, 'ax', 0o600)
	}

	/** Appends a record that survives a crash of the process. Throws if the disk is full or the log is taken over. */
	append(record: Buffer): void {
		if (fs.writeSync(this.#file, record) !== record.length) throw new Error('the disk is full')
		this.#refuseIfTaken()
	}

	/** Resolves once the records survive a crash of the machine. Rejects if the log is taken over. */
	async sync(): Promise<void> {
		await syncData(this.#file)
		this.#refuseIfTaken()
	}

	close(): void {
		fs.closeSync(this.#file)
		this.#file = -1
	}

	remove(): void {
		fs.rmSync(this.#path, { force: true })
		this.close()
	}

	/**
	 * Removes a log that misses a record. When the removal fails, cuts the log to `invalidLength`, which no whole log
	 * has. Throws when both fail, or when another process has taken over the log.
	 */
	invalidate(invalidLength: number): void {
		this.#refuseIfTaken()
		try {
			this.remove()
		} catch {
			fs.ftruncateSync(this.#file, invalidLength)
			this.close()
		}
	}

	#refuseIfTaken(): void {
		if (fs.fstatSync(this.#file).nlink === 0) throw new Error('another process has taken over this log')
	}
}

/**
 * Deletes the log at `path` and returns its content, which only one caller gets. Later appends by the process of the
 * log throw.
 */
export function takeDiskLog(path: string): Buffer {
	const file = fs.openSync(path, 'r')
	try {
		fs.rmSync(path)
		return fs.readFileSync(file)
	} finally {
		fs.closeSync(file)
	}
}

/**
 * Passes the content of a log to `read` and deletes the log if `read` returns true. Returns the records that its process
 * appended meanwhile. After a crash before the deletion, the next call passes the content again.
 */
export async function replayDiskLog(path: string, read: (content: string) => Promise<boolean>): Promise<string> {
	await using file = await open(path, 'r')
	if (!(await read(await file.readFile('utf8')))) return ''
	fs.rmSync(path, { force: true })
	return await file.readFile('utf8')
}

/** Returns true for a log to which no process has appended for this long. */
export function isStaleDiskLog(path: string, staleAfterMs: number): boolean {
	const changedAtMs = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs
	return changedAtMs !== undefined && Date.now() - changedAtMs > staleAfterMs
}
