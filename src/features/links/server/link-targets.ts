import { setTimeout as sleep } from 'node:timers/promises'
import { checkedTarget, countedTargets } from '#features/templates/counted-link.ts'
import type { ExampleLink, MessageLink } from '#features/templates/server/links.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { findCampaignAllAccounts, findExampleAllAccounts } from './click-queries.ts'

export type SignedLink = MessageLink | ExampleLink

/** Targets of the links of one campaign or example. */
export interface LinkTargets {
	accountId: AccountId
	/** True while an administrator has stopped the account's links. */
	isStopped: boolean
	/** Targets of a campaign's counted links by `placeOfButton`; that of an example is at 0. */
	targets: ReadonlyMap<number, string>
}

/** Reads a link's targets from the database; null when the campaign or template is gone, or the account is not in use. */
async function readTargets(sql: Sql, link: SignedLink): Promise<LinkTargets | null> {
	if ('token' in link) {
		const example = await findExampleAllAccounts(sql, link)
		const target = example && checkedTarget(example.target)
		return example ? { ...example, targets: new Map(target ? [[0, target]] : []) } : null
	}
	const campaign = await findCampaignAllAccounts(sql, link)
	if (!campaign) return null
	const { accountId, isStopped, components } = campaign
	return { accountId, isStopped, targets: countedTargets(components) }
}

/** Milliseconds after which targets are read again, so that a stop or a deactivation takes effect within seconds. */
const FRESH_MS = 5000
/** Milliseconds that a click waits for a new reading before it follows the retained targets. */
const REFRESH_WAIT_MS = 500
/** Maximum number of campaigns and examples whose targets are retained in memory. */
const MAX_ENTRIES = 10_000
/** Milliseconds that a click without retained targets waits for a database that is away. */
const WAIT_MS = 3000
const RETRY_MS = 200

interface Entry {
	reading: Promise<LinkTargets | null>
	readAtMs: number
}

const keyOf = (link: SignedLink) => ('token' in link ? link.token : `${link.account}/${link.campaignId}`)

export interface TargetCache {
	/**
	 * Returns the targets of a link; null when its campaign or template is gone or its account not in use. Rejects when the targets
	 * are not retained and the database does not answer within `WAIT_MS`.
	 */
	find(link: SignedLink): Promise<LinkTargets | null>
}

/**
 * Creates a cache of targets that goes on answering while the database is away. Every `FRESH_MS` one click of each campaign reads
 * the targets again and waits for them; clicks at the same moment follow the retained ones, and so do all clicks after a reading
 * that failed or was late, until a reading succeeds. `now` returns milliseconds.
 */
export function createTargetCache(sql: Sql, { now = () => performance.now() } = {}): TargetCache {
	const entries = new Map<string, Entry>()
	let isAway = false

	async function readWithRetries(link: SignedLink): Promise<LinkTargets | null> {
		for (const deadline = performance.now() + WAIT_MS; ;) {
			try {
				return await readTargets(sql, link)
			} catch (error) {
				if (performance.now() > deadline) throw error
				await sleep(RETRY_MS)
			}
		}
	}

	/** Reads the targets of an entry again; a failed read leaves the entry as it is. Never rejects. */
	async function refresh(link: SignedLink, entry: Entry): Promise<void> {
		entry.readAtMs = now()
		const late = setTimeout(() => (isAway = true), REFRESH_WAIT_MS)
		try {
			const found = await readTargets(sql, link)
			isAway = false
			if (found === null) entries.delete(keyOf(link))
			entry.reading = Promise.resolve(found)
		} catch {
			isAway = true
		} finally {
			clearTimeout(late)
		}
	}

	async function read(link: SignedLink): Promise<LinkTargets | null> {
		const key = keyOf(link)
		const entry = { reading: readWithRetries(link), readAtMs: now() }
		entries.set(key, entry)
		const [oldest] = entries.keys()
		if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
		let found: LinkTargets | null = null
		try {
			found = await entry.reading
			return found
		} finally {
			if (found === null) entries.delete(key)
		}
	}

	return {
		async find(link) {
			const entry = entries.get(keyOf(link))
			if (!entry) return read(link)
			if (now() - entry.readAtMs > FRESH_MS) {
				const refreshed = refresh(link, entry)
				if (!isAway) await Promise.race([refreshed, sleep(REFRESH_WAIT_MS)])
			}
			return entry.reading
		},
	}
}
