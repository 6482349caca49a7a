import { Pool } from 'undici'
import { connect } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import { TEST_SECRET_KEY } from '#test/database.ts'
import { get, timeInTurn } from '../programs/in-turn.ts'
import { startServerProcess } from '../programs/server-process.ts'
import { campaignCalls } from '../scenes/campaign-calls.ts'
import { median, p95 } from '../scenes/campaigns-data.ts'
import { CAMPAIGN_ROWS } from '../scenes/sent-campaigns.ts'
import { batchSteps } from './batches.ts'
import type { Scene } from './scene.ts'

const TURNS = 100
/**
 * Number of campaigns to visit, from the newest to the oldest month: as many as the smaller database has, so that the cache
 * of PostgreSQL holds as many campaigns of either.
 */
const VISITED = 5

interface Taken {
	median: number
	p95: number
}

export interface Compared {
	name: string
	small: Taken
	large: Taken
}

/** Measures screens and the steps of sending of both scenes alternately. */
export async function compareScenes(small: Scene, large: Scene): Promise<Compared[]> {
	const sides = await Promise.all([small, large].map(openSide))
	const compared: Compared[] = []
	for (const [step, [name]] of sides[0]?.steps.entries() ?? []) {
		const runs = sides.flatMap(({ steps }) => steps[step]?.[1] ?? [])
		const [ofSmall = [], ofLarge = []] = await timeInTurn(runs, TURNS)
		compared.push({ name, small: summary(ofSmall), large: summary(ofLarge) })
	}
	for (const side of sides) await side.close()
	return compared
}

function summary(times: readonly number[]): Taken {
	return { median: median(times), p95: p95(times) }
}

/** Starts the product's web server on the database, and opens a connection like a worker's. */
async function openSide(scene: Scene) {
	const server = await startServerProcess(scene.database.url)
	const pool = new Pool(server.url, { connections: 1 })
	const db = connect(scene.database.url, { max: 1, vault: createVault(TEST_SECRET_KEY) })
	const apart = Math.floor(scene.sent.length / VISITED)
	const visited = (turn: number) => ({
		campaignId: scene.sent.at(-1 - (turn % VISITED) * apart) ?? 0,
		rows: CAMPAIGN_ROWS,
	})
	const screens = campaignCalls().map(
		([name, path]) => [name, (turn: number) => get(pool, path(visited(turn), turn), scene.token)] as const,
	)
	return {
		steps: [
			...screens,
			['statement', () => get(pool, `/api/wallet/statement/${scene.userId}`, scene.token)] as const,
			['person', () => get(pool, `/api/privacy/person?number=${scene.person}`, scene.token)] as const,
			...(await batchSteps(db, scene)),
		],
		async close() {
			await pool.close()
			await db.end()
			await server.stop()
		},
	}
}
