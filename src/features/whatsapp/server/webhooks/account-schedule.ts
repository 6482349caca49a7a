import type { AccountId } from '#lib/server/db.ts'

export interface ScheduleOptions {
	/**
	 * Processes a batch of the account's webhooks. Returns `more` when some remain, `taken` when all were processed,
	 * `nothing` when none waited.
	 */
	work: (accountId: AccountId) => Promise<'more' | 'taken' | 'nothing'>
	onError: (error: unknown, accountId: AccountId) => void
	/** Maximum accounts processed at the same time. */
	maxRunning: number
	/** Milliseconds between two runs of an account while more arrives. The first run does not wait. */
	intervalMs: number
	/** Milliseconds of waiting after a failed run, doubled after each further failure. */
	retryMs: number
}

interface Account {
	state: 'idle' | 'waiting' | 'running'
	/** True when the account was notified while it was running. */
	isNotifiedAgain: boolean
	notBefore: number
	takenAt: number
	/** Time until which notifications are ignored, because another worker is processing the account. */
	ignoredUntil: number
	failures: number
	timer?: NodeJS.Timeout
}

const MAX_RETRY_MS = 60_000
/** Milliseconds for which a worker that found nothing ignores notifications of the account. Scans still wake it. */
const IGNORE_MS = 3000

/**
 * Runs `work` for accounts in the order of their notifications. An account has one run at a time, and while more
 * arrives at most one per interval, so that webhooks are processed in batches.
 */
export class AccountSchedule {
	readonly #options: ScheduleOptions
	readonly #accounts = new Map<AccountId, Account>()
	readonly #ready: AccountId[] = []
	readonly #running = new Set<Promise<void>>()
	readonly #stopping = new AbortController()

	constructor(options: ScheduleOptions) {
		this.#options = options
	}

	/**
	 * Handles a notification that webhooks may have arrived. Of several workers, the one that processed the account
	 * last takes it; the others ignore notifications for a moment.
	 */
	notify(accountId: AccountId): void {
		const account = this.#accounts.get(accountId)
		if (account && performance.now() < account.ignoredUntil) return
		this.wake(accountId)
	}

	/** Schedules a run of the account, or another one after the current run. */
	wake(accountId: AccountId): void {
		const account = this.#accounts.get(accountId) ?? newAccount()
		this.#accounts.set(accountId, account)
		if (account.state === 'running') account.isNotifiedAgain = true
		else if (account.state === 'idle') this.#wait(accountId, account)
	}

	/** Returns the accounts that are waiting or running, which need no wake-up. */
	busy(): AccountId[] {
		return Array.from(this.#accounts)
			.filter(([, account]) => account.state !== 'idle')
			.map(([accountId]) => accountId)
	}

	/** Deletes idle accounts whose waiting times have passed. */
	prune(): void {
		const now = performance.now()
		for (const [accountId, account] of this.#accounts) {
			const until = Math.max(account.notBefore, account.ignoredUntil, account.takenAt + IGNORE_MS)
			if (account.state === 'idle' && now > until) this.#accounts.delete(accountId)
		}
	}

	/** Starts no more runs. Resolves when the running ones have ended. */
	async stop(): Promise<void> {
		this.#stopping.abort()
		for (const { timer } of this.#accounts.values()) clearTimeout(timer)
		await Promise.all(this.#running)
	}

	#wait(accountId: AccountId, account: Account): void {
		account.state = 'waiting'
		const ready = () => {
			this.#ready.push(accountId)
			this.#startReady()
		}
		const waitMs = account.notBefore - performance.now()
		if (waitMs > 0) account.timer = setTimeout(ready, Math.ceil(waitMs))
		else ready()
	}

	#startReady(): void {
		while (!this.#stopping.signal.aborted && this.#running.size < this.#options.maxRunning) {
			const accountId = this.#ready.shift()
			const account = accountId === undefined ? undefined : this.#accounts.get(accountId)
			if (accountId === undefined || !account) return
			const turn = this.#run(accountId, account).finally(() => {
				this.#running.delete(turn)
				this.#startReady()
			})
			this.#running.add(turn)
		}
	}

	async #run(accountId: AccountId, account: Account): Promise<void> {
		const { work, onError, intervalMs, retryMs } = this.#options
		const startedAt = performance.now()
		Object.assign(account, { state: 'running', isNotifiedAgain: false })
		let isMore = false
		try {
			const outcome = await work(accountId)
			isMore = outcome === 'more'
			account.failures = 0
			account.notBefore = isMore ? 0 : startedAt + intervalMs
			const now = performance.now()
			if (outcome !== 'nothing') account.takenAt = now
			else if (now - account.takenAt > IGNORE_MS) account.ignoredUntil = now + IGNORE_MS
		} catch (error) {
			onError(error, accountId)
			isMore = true
			account.notBefore = performance.now() + Math.min(MAX_RETRY_MS, retryMs * 2 ** account.failures++)
		}
		account.state = 'idle'
		if ((isMore || account.isNotifiedAgain) && !this.#stopping.signal.aborted) this.#wait(accountId, account)
	}
}

function newAccount(): Account {
	return { state: 'idle', isNotifiedAgain: false, notBefore: 0, takenAt: -Infinity, ignoredUntil: 0, failures: 0 }
}
