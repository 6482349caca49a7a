import { closeSync, createReadStream, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The kind of record, then its values. */
export type JournalRecord = [kind: string, ...rest: unknown[]]

/**
 * The records that survive `kill -9` of the simulator, one JSON line each. A record is passed to the operating system
 * before the response it belongs to is sent. Without a directory nothing is stored.
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

	/** Writes nothing until `rewrite` has opened the file, so that restored records are not written again. */
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

	/** Replaces the file with these records, then appends to it. */
	rewrite(records: Iterable<JournalRecord>): void {
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

// A process killed during a write leaves an incomplete line. Its response was never sent, so the record is ignored.
function parseLine(line: string): JournalRecord | null {
	try {
		return JSON.parse(line) as JournalRecord
	} catch {
		return null
	}
}
