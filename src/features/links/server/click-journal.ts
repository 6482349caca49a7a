import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import type { Click } from './click-queries.ts'

export interface AccountClick extends Click {
	accountId: AccountId
}

/**
 * Stores clicks on this machine's disk until the database has them. A redirect therefore needs no database, and a click survives a
 * crash of the process or the machine. A file has one line per click; it is written to the database whole and then deleted. A
 * crash between the two writes the file again, which changes nothing.
 */
export interface ClickJournal {
	/** Resolves once the click is on the disk. Clicks that arrive during a write share the next write. */
	append(click: AccountClick): Promise<void>
	/** Writes the remaining clicks if the database answers, and ends. */
	stop(): Promise<void>
}

export interface JournalOptions {
	folder: string
	/** Writes clicks to the database; must be idempotent. */
	write: (accountId: AccountId, clicks: readonly Click[]) => Promise<void>
	log: Log
}

/** Milliseconds between two drains of files into the database, and the maximum after failures. */
const DRAIN_INTERVAL_MS = 250
const MAX_DRAIN_INTERVAL_MS = 5000
/** Milliseconds without a write after which a file of another process counts as abandoned. A live process starts new files sooner. */
const STALE_AFTER_MS = 10_000
const SUFFIX = '.clicks'
/** Maximum bytes of clicks of one process that wait for the database, over a million clicks. Further clicks are not counted. */
const MAX_BYTES = 128 * 1024 * 1024
/** Clicks per transaction. */
const BATCH_SIZE = 2000

/** Opens a journal in the folder, which it creates, and starts to drain clicks into the database. */
export async function openClickJournal(options: JournalOptions): Promise<ClickJournal> {
	await mkdir(options.folder, { recursive: true, mode: 0o700 })
	const journal = new Journal(options)
	return { append: (click) => journal.append(click), stop: () => journal.stop() }
}

/** A click that waits to be written to the disk. */
interface WaitingClick {
	line: string
	resolve: () => void
	reject: (error: unknown) => void
}

class Journal {
	readonly #options: JournalOptions
	/** Prefix of the files of this process. */
	readonly #prefix = randomUUID()
	readonly #stopping = new AbortController()
	readonly #draining: Promise<void>
	/** Number of the next file. */
	#files = 0
	/** Bytes of this process's files that the database does not have yet. */
	#bytes = 0
	/** Time at which a drain last covered all files of the folder. */
	#drainedAllAtMs = -Infinity
	#waiting: WaitingClick[] = []
	#open: FileHandle | null = null
	#flushing: Promise<void> = Promise.resolve()
	#isFlushing = false

	constructor(options: JournalOptions) {
		this.#options = options
		this.#draining = this.#drainUntilStopped()
	}

	append(click: AccountClick): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#waiting.push({ line: lineOf(click), resolve, reject })
			if (!this.#isFlushing) this.#flushing = this.#flush()
		})
	}

	async stop(): Promise<void> {
		this.#stopping.abort()
		await this.#draining
		await this.#drain().catch((error: unknown) => this.#options.log.warn({ error }, 'clicks wait for the next start'))
	}

	async #flush(): Promise<void> {
		this.#isFlushing = true
		while (this.#waiting.length > 0) {
			const batch = this.#waiting.splice(0)
			try {
				await this.#write(batch.map(({ line }) => line).join(''))
				for (const { resolve } of batch) resolve()
			} catch (error) {
				for (const { reject } of batch) reject(error)
			}
		}
		this.#isFlushing = false
	}

	async #write(lines: string): Promise<void> {
		if (this.#bytes + lines.length > MAX_BYTES) throw new Error('too many clicks wait for the database')
		this.#open ??= await this.#openFile()
		const handle = this.#open
		try {
			await handle.appendFile(lines)
			await handle.datasync()
			// Another process deletes the file if this process paused for longer than STALE_AFTER_MS.
			if ((await handle.stat()).nlink === 0) throw new Error('another process has taken over the journal of clicks')
		} catch (error) {
			// A drain may find a part of the lines on the disk; a repeated click counts once.
			this.#open = null
			await handle.close()
			throw error
		}
		this.#bytes += lines.length
	}

	/** Writes lines that the database has not taken to a new file of this process, without the limit of `MAX_BYTES`. */
	async #retain(lines: string): Promise<void> {
		if (lines === '') return
		const handle = await this.#openFile()
		try {
			await handle.appendFile(lines)
			await handle.datasync()
		} finally {
			await handle.close()
		}
		this.#bytes += lines.length
	}

	#openFile(): Promise<FileHandle> {
		return open(join(this.#options.folder, this.#nameOf(this.#files++)), 'ax', 0o600)
	}

	#nameOf(number: number): string {
		return `${this.#prefix}-${String(number).padStart(9, '0')}${SUFFIX}`
	}

	async #drainUntilStopped(): Promise<void> {
		let waitMs = DRAIN_INTERVAL_MS
		const { signal } = this.#stopping
		while (!signal.aborted) {
			await sleep(waitMs, null, { signal }).catch(() => null)
			if (signal.aborted) return
			try {
				await this.#drain()
				waitMs = DRAIN_INTERVAL_MS
			} catch (error) {
				if (waitMs === DRAIN_INTERVAL_MS) this.#options.log.warn({ error }, 'clicks are kept on the disk for now')
				waitMs = Math.min(waitMs * 2, MAX_DRAIN_INTERVAL_MS)
			}
		}
	}

	/** Writes all closed files of this process and all abandoned ones to the database. Rejects when the database takes only a part. */
	async #drain(): Promise<void> {
		const refused: Refused = new Map()
		while (this.#isFlushing) await this.#flushing
		const current = this.#open
		this.#open = null
		// Files from this name on are opened during the drain and belong to the next one.
		const firstNext = this.#nameOf(this.#files)
		await current?.close()
		// Without files of its own, the process looks for abandoned files only once per STALE_AFTER_MS.
		if (this.#bytes === 0 && performance.now() - this.#drainedAllAtMs < STALE_AFTER_MS) return
		const drainedAllAtMs = performance.now()
		const names = (await readdir(this.#options.folder)).filter((name) => name.endsWith(SUFFIX)).toSorted()
		for (const name of names) {
			const isOwn = name.startsWith(this.#prefix)
			if (isOwn ? name < firstNext : await this.#isAbandoned(name)) await this.#replay(name, { isOwn, refused })
		}
		if (refused.size > 0) throw new AggregateError(refused.values(), 'the database did not take all clicks')
		this.#drainedAllAtMs = drainedAllAtMs
	}

	async #isAbandoned(name: string): Promise<boolean> {
		const found = await stat(join(this.#options.folder, name)).catch(() => null)
		return found !== null && Date.now() - found.mtimeMs > STALE_AFTER_MS
	}

	async #replay(name: string, { isOwn, refused }: { isOwn: boolean; refused: Refused }): Promise<void> {
		const path = join(this.#options.folder, name)
		const handle = await open(path, 'r')
		try {
			const content = await handle.readFile('utf8')
			const rest = await this.#record(content, refused)
			if (rest !== '' && rest.length >= content.length) return
			await this.#retain(rest)
			await rm(path, { force: true })
			if (isOwn) this.#bytes = Math.max(0, this.#bytes - content.length)
			// The file's process may have appended to it until the deletion.
			else await this.#retain(await this.#record(await handle.readFile('utf8'), refused))
		} finally {
			await handle.close()
		}
	}

	/**
	 * Writes lines to the database and returns those that it refuses. In a cluster, an unreachable machine refuses the clicks of its
	 * accounts only. A drain tries a refused account once; while the journal stops, a drain ends at the first refusal.
	 */
	async #record(content: string, refused: Refused): Promise<string> {
		const byAccount = Map.groupBy(content.split('\n').flatMap(readLine), ({ accountId }) => accountId)
		const rest: AccountClick[] = []
		for (const [accountId, clicks] of byAccount) {
			for (let at = 0; at < clicks.length; at += BATCH_SIZE) {
				const batch = clicks.slice(at, at + BATCH_SIZE)
				const isTried = !refused.has(accountId) && (refused.size === 0 || !this.#stopping.signal.aborted)
				if (isTried)
					await this.#options.write(accountId, batch).catch((error: unknown) => refused.set(accountId, error))
				if (!isTried || refused.has(accountId)) rest.push(...batch)
			}
		}
		return rest.map(lineOf).join('')
	}
}

/** Accounts whose clicks the database refused during a drain, with the error. */
type Refused = Map<AccountId, unknown>

function lineOf({ accountId, campaignId, seq, button, atMs, id }: AccountClick): string {
	return `${JSON.stringify([accountId, campaignId, seq, button, atMs, id])}\n`
}

/** Returns the click of a line; none for an incomplete line, whose process died before the click was confirmed. */
function readLine(line: string): AccountClick[] {
	const values: unknown = /^\[\d{1,16}(,\d{1,16}){4},"[\w-]{1,40}"\]$/.test(line) ? JSON.parse(line) : null
	if (!Array.isArray(values)) return []
	const [accountId, campaignId, seq, button, atMs, id] = values as [AccountId, number, number, number, number, string]
	return [{ accountId, campaignId, seq, button, atMs, id }]
}
