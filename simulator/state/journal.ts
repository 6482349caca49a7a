import { closeSync, createReadStream, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A kind, then what that kind needs. */
export type JournalRecord = [kind: string, ...rest: unknown[]]

/**
 * What must survive `kill -9` of the simulator, one JSON line a record. A record is handed to the operating system
 * before the answer it belongs to goes out. Without a directory nothing is kept and no file is touched.
 */
export class Journal {
	readonly #directory: string | null
	#file: number | null = null

	constructor(directory: string | null) {
		this.#directory = directory
		if (directory) mkdirSync(directory, { recursive: true })
	}

	get directory(): string | null {
		return this.#directory
	}

	/** Silent until `startAfresh` has opened the file: what is being restored is not written again. */
	write(record: JournalRecord): void {
		if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(record)}\n`)
	}

	async *read(): AsyncGenerator<JournalRecord> {
		if (!this.#directory || !existsSync(this.#path())) return
		const lines = createInterface({ input: createReadStream(this.#path()), crlfDelay: Infinity })
		for await (const line of lines) {
			const record = parseLine(line)
			if (record) yield record
		}
	}

	/** Replaces the file by these records only, then goes on appending to it. */
	startAfresh(records: Iterable<JournalRecord>): void {
		if (!this.#directory) return
		this.close()
		const draft = openSync(`${this.#path()}.new`, 'w')
		for (const record of records) writeSync(draft, `${JSON.stringify(record)}\n`)
		closeSync(draft)
		renameSync(`${this.#path()}.new`, this.#path())
		this.#file = openSync(this.#path(), 'a')
	}

	close(): void {
		if (this.#file !== null) closeSync(this.#file)
		this.#file = null
	}

	#path(): string {
		return join(this.#directory ?? '', 'journal.jsonl')
	}
}

// A process that is killed while it writes leaves half a line; its answer never went out, so it counts for nothing.
function parseLine(line: string): JournalRecord | null {
	try {
		return JSON.parse(line) as JournalRecord
	} catch {
		return null
	}
}
