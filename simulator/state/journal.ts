import { closeSync, createReadStream, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Kind of the record, followed by its values. */
export type JournalRecord = [kind: string, ...rest: unknown[]]

/**
 * Stores the records that survive `kill -9` of the simulator, one JSON line each. A record reaches the operating system before
 * the response of its call is sent. Without a directory nothing is stored.
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

	/** Appends a record. Does nothing until `rewrite` has opened the file, so that restored records are not written twice. */
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

	/** Replaces the file by these records and opens it for appending. */
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

// Returns the record of a line, or null for the incomplete line of a process that was killed during a write; its response was
// never sent.
function parseLine(line: string): JournalRecord | null {
	try {
		return JSON.parse(line) as JournalRecord
	} catch {
		return null
	}
}
