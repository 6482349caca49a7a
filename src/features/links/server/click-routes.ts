import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { COUNTED_PATH } from '#features/templates/counted-link.ts'
import type { Links } from '#features/templates/server/links.ts'
import type { Db } from '#lib/server/db.ts'
import type { Http } from '#lib/server/http/http.ts'
import type { Log } from '#lib/server/log.ts'
import { openClickJournal } from './click-journal.ts'
import { probeAllAccounts } from './click-queries.ts'
import { createTargetCache } from './link-targets.ts'
import { isPreview } from './previews.ts'
import { recordClicks } from './record-clicks.ts'

interface ClickContext {
	db: Db
	links: Links
	log: Log
	env: { DATA_DIR: string }
}

/**
 * Redirects counted links to their targets and stores each click in a journal on disk. While the database is away, known
 * targets come from memory.
 */
export async function clickRoutes(http: Http, { db, links, log, env }: ClickContext): Promise<void> {
	const journal = await openClickJournal({
		folder: join(env.DATA_DIR, 'clicks'),
		write: (accountId, clicks) => recordClicks(db, accountId, clicks),
		probe: () => probeAllAccounts(db),
		log,
	})
	http.addHook('onClose', () => journal.stop())
	const cache = createTargetCache(db)

	http.get<{ Params: { token: string } }>(`${COUNTED_PATH}:token`, async (request, reply) => {
		const link = links.read(request.params.token)
		if (link === null) return page(reply, UNKNOWN)
		const found = await cache.find(link).catch(() => 'unreachable' as const)
		if (found === 'unreachable') return page(reply.header('retry-after', '30'), AWAY)
		if (found?.isStopped) return page(reply, STOPPED)
		const isMessage = 'campaignId' in link
		const target = found?.targets.get(isMessage ? link.button : 0) ?? null
		if (!found || target === null) return page(reply, UNKNOWN)
		if (isMessage && !isPreview(request.method, request.headers)) {
			const click = { ...link, accountId: found.accountId, id: randomBytes(12).toString('hex'), atMs: Date.now() }
			// The redirect goes out even if the click cannot be stored.
			await journal.append(click).catch((error: unknown) => log.error({ error }, 'a click could not be kept'))
		}
		return reply.redirect(target)
	})
}

interface Page {
	status: number
	title: string
	text: string
}

const UNKNOWN: Page = {
	status: 404,
	title: 'This link does not work',
	text: 'Check that you have copied all of it. If you have, ask the business that sent it to you.',
}
const STOPPED: Page = {
	status: 404,
	title: 'This link is switched off',
	text: 'It does not lead anywhere at present. If you have a question, ask the business that sent it to you.',
}
const AWAY: Page = {
	status: 503,
	title: 'Please try again',
	text: 'This page cannot be opened right now. Try again in a minute.',
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:32rem;margin:20vh auto 0;padding:0 1.5rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.3}
p{margin:0}`

/** Answers with a page of one heading and one sentence, in the colour scheme of the browser. */
function page(reply: FastifyReply, { status, title, text }: Page) {
	return reply
		.status(status)
		.type('text/html; charset=utf-8')
		.send(
			`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title><style nonce="${reply.cspNonce.style}">${STYLE}</style><h1>${title}</h1><p>${text}</p></html>`,
		)
}
