import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { COUNTED_PATH, countedTarget } from '#features/templates/counted-link.ts'
import type { Links, MessageLink } from '#features/templates/server/links.ts'
import { findComponent } from '#features/templates/values.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import type { Http } from '#lib/server/http/http.ts'
import type { Log } from '#lib/server/log.ts'
import { openClickJournal } from './click-journal.ts'
import { findLinkedAllAccounts, isExampleAllAccounts } from './click-queries.ts'
import { isPreview } from './previews.ts'
import { recordClicks } from './record-clicks.ts'

interface ClickContext {
	db: Db
	links: Links
	log: Log
	env: { DATA_DIR: string }
}

/** Redirects counted links to their targets, from memory and the disk also while the database is away. */
export async function clickRoutes(http: Http, { db, links, log, env }: ClickContext): Promise<void> {
	const journal = await openClickJournal({
		folder: join(env.DATA_DIR, 'clicks'),
		write: (accountId, clicks) => recordClicks(db, accountId, clicks),
		log,
	})
	http.addHook('onClose', () => journal.stop())
	const targets = createTargets(db)
	const examples = createExamples(db)

	http.get<{ Params: { token: string } }>(`${COUNTED_PATH}:token`, async (request, reply) => {
		const link = links.read(request.params.token)
		if (link === null) return page(reply, { status: 404, ...UNKNOWN })
		if ('target' in link) {
			const isKnown = await examples.isKnown(request.params.token).catch(() => false)
			return isKnown ? reply.redirect(link.target) : page(reply, { status: 404, ...UNKNOWN })
		}
		const found = await targets.find(link).catch(() => 'unreachable' as const)
		if (found === 'unreachable') return page(reply.header('retry-after', '30'), { status: 503, ...AWAY })
		const target = found?.targets[link.button] ?? null
		if (!found || target === null) return page(reply, { status: 404, ...UNKNOWN })
		if (!isPreview(request.method, request.headers)) {
			const click = { ...link, accountId: found.accountId, id: randomBytes(12).toString('hex'), atMs: Date.now() }
			// The redirect goes out even if the click cannot be stored.
			await journal.append(click).catch((error: unknown) => log.error({ error }, 'a click could not be kept'))
		}
		return reply.redirect(target)
	})
}

const UNKNOWN = {
	title: 'This link does not work',
	text: 'Check that you have copied all of it. If you have, ask the business that sent it to you.',
}
const AWAY = { title: 'Please try again', text: 'This page cannot be opened right now. Try again in a minute.' }
const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:32rem;margin:20vh auto 0;padding:0 1.5rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.3}
p{margin:0}`

/** Answers with a page of one heading and one sentence, in the colour scheme of the browser. */
function page(reply: FastifyReply, { status, title, text }: { status: number; title: string; text: string }) {
	return reply
		.status(status)
		.type('text/html; charset=utf-8')
		.send(
			`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title><style nonce="${reply.cspNonce.style}">${STYLE}</style><h1>${title}</h1><p>${text}</p></html>`,
		)
}

/** Targets are read again after this time, in milliseconds, so that links of a deactivated account end within seconds. */
const FRESH_MS = 5000
/** Campaigns whose targets are retained in memory. */
const MAX_ENTRIES = 10_000
/** Milliseconds that a click waits for a database that is away. */
const WAIT_MS = 3000
const RETRY_MS = 200

interface Targets {
	accountId: AccountId
	/** Of each button; null for one whose clicks are not counted. */
	targets: (string | null)[]
}

async function findTargets(db: Db, link: MessageLink): Promise<Targets | null> {
	const found = await findLinkedAllAccounts(db, link)
	const buttons = findComponent(found?.components ?? [], 'BUTTONS')?.buttons ?? []
	return found ? { accountId: found.accountId, targets: buttons.map(countedTarget) } : null
}

interface Entry {
	reading: Promise<Targets | null>
	readAtMs: number
}

/** Reads the targets of campaigns' buttons through a cache, which goes on answering while the database is away. */
function createTargets(db: Db) {
	const entries = new Map<number, Entry>()
	const read = async (link: MessageLink): Promise<Targets | null> => {
		for (const deadline = performance.now() + WAIT_MS; ;) {
			try {
				return await findTargets(db, link)
			} catch (error) {
				if (performance.now() > deadline) throw error
				await sleep(RETRY_MS)
			}
		}
	}
	/** Replaces an entry once it is read again; a database that is away leaves it. */
	const refresh = (link: MessageLink, entry: Entry) => {
		entry.readAtMs = performance.now()
		void findTargets(db, link).then(
			(found) => {
				if (found === null) entries.delete(link.campaignId)
				else entry.reading = Promise.resolve(found)
			},
			() => {},
		)
	}
	return {
		/** Null where the campaign is gone or its account not in use. Rejects when the database does not come back in time. */
		async find(link: MessageLink): Promise<Targets | null> {
			const known = entries.get(link.campaignId)
			if (known) {
				if (performance.now() - known.readAtMs > FRESH_MS) refresh(link, known)
				return known.reading
			}
			const reading = read(link)
			entries.set(link.campaignId, { reading, readAtMs: performance.now() })
			const [oldest] = entries.keys()
			if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
			try {
				const found = await reading
				if (found === null) entries.delete(link.campaignId)
				return found
			} catch (error) {
				entries.delete(link.campaignId)
				throw error
			}
		},
	}
}

/** Milliseconds for which an answer about an example is retained; no for less, as a template may just be created. */
const EXAMPLE_FRESH_MS = { yes: 60_000, no: 5000 }

/**
 * Tells which examples belong to a template. WhatsApp follows an example while it reviews the template; a token whose template was
 * never created, or is gone, would be a link of ours to any address.
 */
function createExamples(db: Db) {
	const known = new Map<string, { isKnown: boolean; readAtMs: number }>()
	let last: Promise<unknown> = Promise.resolve()
	const recall = (token: string) => {
		const found = known.get(token)
		const freshMs = found?.isKnown ? EXAMPLE_FRESH_MS.yes : EXAMPLE_FRESH_MS.no
		return found && performance.now() - found.readAtMs < freshMs ? found.isKnown : undefined
	}
	const read = async (token: string) => {
		const found = recall(token)
		if (found !== undefined) return found
		const isKnown = await isExampleAllAccounts(db, token)
		known.delete(token)
		known.set(token, { isKnown, readAtMs: performance.now() })
		const [oldest] = known.keys()
		if (known.size > MAX_ENTRIES && oldest !== undefined) known.delete(oldest)
		return isKnown
	}
	return {
		isKnown(token: string): Promise<boolean> {
			const found = recall(token)
			if (found !== undefined) return Promise.resolve(found)
			const reading = last.then(() => read(token))
			last = reading.catch(() => {})
			return reading
		},
	}
}
