import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_PATH } from '#lib/live.ts'
import { measureBeside, type Greedy, type Load } from './bystander.ts'
import { linesOf } from './campaigns-data.ts'
import { sampleContact } from './contacts-data.ts'

/**
 * One account that does all it may at once, and more (lists, counts, exports, analyses of files, campaigns from files, event
 * streams), beside another one that looks at its screens.
 */
const FILE_ROWS = Number(process.env.BENCH_ROWS ?? 50_000)
const STREAMS = 100

const file = new Blob([...csvLines()], { type: 'text/csv' })

await measureBeside({ 'all it may at once': startLoad })

function* csvLines(): Generator<string> {
	yield 'Name,Mobile\n'
	yield* linesOf(FILE_ROWS, (index) => {
		const { firstName, number } = sampleContact(index)
		return `${firstName},+${number}\n`
	})
}

/** Each kind of work by more clients than an account may have, each of which asks again when it is answered. */
function startLoad({ templateId, send, note }: Greedy): Load {
	const over = new AbortController()
	const get = (path: string) => () => send(path, { signal: over.signal })
	const post = (path: string, fields: Record<string, string>) => () => {
		const body = new FormData()
		for (const [name, value] of Object.entries(fields)) body.set(name, value)
		body.set('file', file, 'people.csv')
		return send(path, { method: 'POST', body, signal: over.signal })
	}
	const askOn = async (what: string, ask: () => Promise<Response>) => {
		while (!over.signal.aborted) {
			try {
				const response = await ask()
				await response.arrayBuffer()
				note(what, response.status)
				if (response.status === 429) await sleep(100)
			} catch (error) {
				if (!over.signal.aborted) throw error
			}
		}
	}
	const campaign = {
		name: 'Greedy',
		templateId,
		variables: JSON.stringify({ var1: '{{Name}}' }),
		audienceType: 'file',
		schedule: 'later',
		scheduleDatetime: '2099-01-01T10:00:00',
	}
	const kinds: [string, number, () => Promise<Response>][] = [
		['list', 12, get('/api/contacts?page=3&limit=100&search=a')],
		['count', 6, get('/api/contacts/count?search=ku')],
		['export', 4, get('/api/contacts/export')],
		['analysis', 4, post('/api/campaigns/audience/file', campaign)],
		['campaign', 4, post('/api/campaigns', campaign)],
	]
	const clients = kinds.flatMap(([what, number, ask]) => Array.from({ length: number }, () => askOn(what, ask)))
	const streams = Array.from({ length: STREAMS }, () =>
		send(LIVE_PATH, { signal: over.signal }).then(
			({ status }) => note('stream', status),
			() => {},
		),
	)
	return {
		async stop() {
			over.abort()
			await Promise.all([...clients, ...streams])
		},
	}
}
