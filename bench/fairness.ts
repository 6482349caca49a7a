import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_PATH } from '#lib/live.ts'
import { measureBeside, type Greedy, type Load } from './scenes/bystander.ts'
import { linesOf } from './scenes/campaigns-data.ts'
import { sampleContact } from './scenes/contacts-data.ts'

/**
 * Measures the screens of one account while another account works at and above its limits: lists, counts, exports,
 * analyses of files, campaigns from files, event streams.
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

/** Starts more clients for each kind of work than an account may have. Each client repeats its call when it is answered. */
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
