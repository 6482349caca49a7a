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
 * Keeps clicks on this machine's disk until the database has them, so that a redirect waits for no database and a click outlives
 * a crash of this process, and of the machine. Each file is a line per click. A file is written to the database whole and then
 * deleted; whoever does so twice, as a crash came between, changes nothing the second time.
 */
export interface ClickJournal {
	/** Resolves once the click is on the disk; those that come together are written together. */
	append(click: AccountClick): Promise<void>
	/** Writes what is left, if the database is there, and ends. */
	stop(): Promise<void>
}

export interface JournalOptions {
	folder: string
	/** Must be idempotent. */
	write: (accountId: AccountId, clicks: readonly Click[]) => Promise<void>
	log: Log
}

const DRAIN_INTERVAL_MS = 250
const MAX_DRAIN_INTERVAL_MS = 5000
/** A file of another process that was not written to for this long has been left behind: each begins a new one before. */
const STALE_AFTER_MS = 10_000
const SUFFIX = '.clicks'
/** Of one process, for as long as the database is away: a million clicks and more. Later ones are not counted. */
const MAX_BYTES = 128 * 1024 * 1024
/** Clicks that one transaction writes. */
const BATCH_SIZE = 2000

export async function openClickJournal(options: JournalOptions): Promise<ClickJournal> {
	await mkdir(options.folder, { recursive: true, mode: 0o700 })
	const journal = new Journal(options)
	return { append: (click) => journal.append(click), stop: () => journal.stop() }
}

interface Waiting {
	line: string
	resolve: () => void
	reject: (error: unknown) => void
}

class Journal {
	readonly #options: JournalOptions
	readonly #self = randomUUID()
	readonly #stopping = new AbortController()
	readonly #draining: Promise<void>
	#files = 0
	/** Of files that the database does not have yet. */
	#bytes = 0
	/** When all that is in the folder was last gone through. */
	#lookedAtMs = -Infinity
	#waiting: Waiting[] = []
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
			const some = this.#waiting.splice(0)
			try {
				await this.#write(some.map(({ line }) => line).join(''))
				for (const { resolve } of some) resolve()
			} catch (error) {
				for (const { reject } of some) reject(error)
			}
		}
		this.#isFlushing = false
	}

	async #write(lines: string): Promise<void> {
		if (this.#bytes + lines.length > MAX_BYTES) throw new Error('too many clicks wait for the database')
		this.#open ??= await this.#begin()
		const handle = this.#open
		try {
			await handle.appendFile(lines)
			await handle.datasync()
			// This process has stood still for so long that another one has taken the file over.
			if ((await handle.stat()).nlink === 0) throw new Error('another process has taken over the journal of clicks')
		} catch (error) {
			// What of it is on the disk counts once, should it be written a second time.
			this.#open = null
			await handle.close()
			throw error
		}
		this.#bytes += lines.length
	}

	/** Writes what the database has not taken to a file of this process, where it waits whatever room there is. */
	async #keep(lines: string): Promise<void> {
		if (lines === '') return
		const handle = await this.#begin()
		try {
			await handle.appendFile(lines)
			await handle.datasync()
		} finally {
			await handle.close()
		}
		this.#bytes += lines.length
	}

	#begin(): Promise<FileHandle> {
		return open(join(this.#options.folder, this.#nameOf(this.#files++)), 'ax', 0o600)
	}

	#nameOf(number: number): string {
		return `${this.#self}-${String(number).padStart(9, '0')}${SUFFIX}`
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

	/**
	 * Gives the database all whole files: what this process has written, and what others have left behind. Rejects when it has
	 * not taken all of it.
	 */
	async #drain(): Promise<void> {
		const refused: Refused = new Map()
		while (this.#isFlushing) await this.#flushing
		const current = this.#open
		this.#open = null
		// Those that are begun from now on are for the next time.
		const begun = this.#nameOf(this.#files)
		await current?.close()
		// Only what others have left behind can be there, and that has time.
		if (this.#bytes === 0 && performance.now() - this.#lookedAtMs < STALE_AFTER_MS) return
		const lookedAtMs = performance.now()
		const names = (await readdir(this.#options.folder)).filter((name) => name.endsWith(SUFFIX)).toSorted()
		for (const name of names) {
			const isOwn = name.startsWith(this.#self)
			if (isOwn ? name < begun : await this.#isLeftBehind(name)) await this.#replay(name, { isOwn, refused })
		}
		if (refused.size > 0) throw new AggregateError(refused.values(), 'the database did not take all clicks')
		this.#lookedAtMs = lookedAtMs
	}

	async #isLeftBehind(name: string): Promise<boolean> {
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
			await this.#keep(rest)
			await rm(path, { force: true })
			if (isOwn) this.#bytes = Math.max(0, this.#bytes - content.length)
			// Its process may have written to it until it was gone.
			else await this.#keep(await this.#record(await handle.readFile('utf8'), refused))
		} finally {
			await handle.close()
		}
	}

	/**
	 * Returns the lines that the database does not take now: of a cluster, one machine may be away, and then the clicks of its
	 * accounts alone wait. Such an account is asked once for all files, and on the way out nobody is after the first refusal.
	 */
	async #record(content: string, refused: Refused): Promise<string> {
		const byOwner = Map.groupBy(content.split('\n').flatMap(readLine), ({ accountId }) => accountId)
		const rest: AccountClick[] = []
		for (const [accountId, clicks] of byOwner) {
			for (let at = 0; at < clicks.length; at += BATCH_SIZE) {
				const some = clicks.slice(at, at + BATCH_SIZE)
				const isAsked = !refused.has(accountId) && (refused.size === 0 || !this.#stopping.signal.aborted)
				if (isAsked) await this.#options.write(accountId, some).catch((error: unknown) => refused.set(accountId, error))
				if (!isAsked || refused.has(accountId)) rest.push(...some)
			}
		}
		return rest.map(lineOf).join('')
	}
}

/** Accounts whose clicks the database has not taken, and why. */
type Refused = Map<AccountId, unknown>

function lineOf({ accountId, campaignId, seq, button, atMs, id }: AccountClick): string {
	return `${JSON.stringify([accountId, campaignId, seq, button, atMs, id])}\n`
}

/** None for the last line of a process that died while writing it: nobody was told that it is kept. */
function readLine(line: string): AccountClick[] {
	const values: unknown = /^\[\d{1,16}(,\d{1,16}){4},"[\w-]{1,40}"\]$/.test(line) ? JSON.parse(line) : null
	if (!Array.isArray(values)) return []
	const [accountId, campaignId, seq, button, atMs, id] = values as [AccountId, number, number, number, number, string]
	return [{ accountId, campaignId, seq, button, atMs, id }]
}
