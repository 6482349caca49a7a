import { randomUUID } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { DiskLog, isStaleDiskLog, replayDiskLog } from '#lib/server/storage/disk-log.ts'
import type { Click } from './click-queries.ts'

export interface AccountClick extends Click {
	accountId: AccountId
}

export interface JournalOptions {
	folder: string
	/** Writes clicks to the database; must be idempotent. */
	write: (accountId: AccountId, clicks: readonly Click[]) => Promise<void>
	/** Rejects while the database is away. A drain then reads no file, because all files would be read for nothing. */
	probe: () => Promise<void>
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
	return new ClickJournal(options)
}

/**
 * Stores clicks on this machine's disk until the database has them. A redirect therefore needs no database, and a click survives a
 * crash of the process or the machine. A file has one line per click; it is written to the database whole and then deleted. A
 * crash between the two writes the file again, which changes nothing.
 */
class ClickJournal {
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
	/** Lines that wait for the next write, and that write. */
	#lines = ''
	#nextWrite: Promise<void> | null = null
	#open: DiskLog | null = null
	/** The last write or change of files, which run one after the other. */
	#turn: Promise<unknown> = Promise.resolve()

	constructor(options: JournalOptions) {
		this.#options = options
		this.#draining = this.#drainUntilStopped()
	}

	/** Resolves once the click is on the disk. Clicks that arrive during a write share the next write. */
	append(click: AccountClick): Promise<void> {
		this.#lines += lineOf(click)
		this.#nextWrite ??= this.#inTurn(() => this.#write())
		return this.#nextWrite
	}

	/** Writes the remaining clicks if the database answers, and ends. */
	async stop(): Promise<void> {
		this.#stopping.abort()
		await this.#draining
		await this.#drain().catch((error: unknown) => this.#options.log.warn({ error }, 'clicks wait for the next start'))
	}

	#inTurn<T>(step: () => Promise<T>): Promise<T> {
		const turn = this.#turn.then(step)
		this.#turn = turn.catch(() => {})
		return turn
	}

	async #write(): Promise<void> {
		const lines = this.#lines
		this.#lines = ''
		this.#nextWrite = null
		if (this.#bytes + lines.length > MAX_BYTES) throw new Error('too many clicks wait for the database')
		const file = this.#open ?? this.#openFile()
		this.#open = null
		await this.#store(file, lines)
		this.#open = file
	}

	/** Writes lines that the database has not taken to a new file of this process, without the limit of `MAX_BYTES`. */
	async #retain(lines: string): Promise<void> {
		if (lines === '') return
		const file = this.#openFile()
		await this.#store(file, lines)
		file.close()
	}

	/** Writes lines to the disk, and closes the file if that fails. A drain may find a part of them; a repeated click counts once. */
	async #store(file: DiskLog, lines: string): Promise<void> {
		try {
			// Another process deletes the file if this process paused for longer than STALE_AFTER_MS.
			file.append(Buffer.from(lines))
			await file.sync()
		} catch (error) {
			file.close()
			throw error
		}
		this.#bytes += lines.length
	}

	#openFile(): DiskLog {
		return new DiskLog(join(this.#options.folder, this.#nameOf(this.#files++)))
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
		// Files from this name on are opened during the drain and belong to the next one.
		const firstNext = await this.#inTurn(async () => {
			this.#open?.close()
			this.#open = null
			return this.#nameOf(this.#files)
		})
		// Without files of its own, the process looks for abandoned files only once per STALE_AFTER_MS.
		if (this.#bytes === 0 && performance.now() - this.#drainedAllAtMs < STALE_AFTER_MS) return
		await this.#options.probe()
		const drainedAllAtMs = performance.now()
		const names = (await readdir(this.#options.folder)).filter((name) => name.endsWith(SUFFIX)).toSorted()
		for (const name of names) {
			const isOwn = name.startsWith(this.#prefix)
			const path = join(this.#options.folder, name)
			if (isOwn ? name < firstNext : isStaleDiskLog(path, STALE_AFTER_MS)) await this.#replay(path, { isOwn, refused })
		}
		if (refused.size > 0) throw new AggregateError(refused.values(), 'the database did not take all clicks')
		this.#drainedAllAtMs = drainedAllAtMs
	}

	async #replay(path: string, { isOwn, refused }: { isOwn: boolean; refused: Refused }): Promise<void> {
		const late = await replayDiskLog(path, async (content) => {
			const rest = await this.#record(content, refused)
			if (rest !== '' && rest.length >= content.length) return false
			await this.#retain(rest)
			if (isOwn) this.#bytes = Math.max(0, this.#bytes - content.length)
			return true
		})
		await this.#retain(await this.#record(late, refused))
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
