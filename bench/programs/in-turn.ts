import type { Pool } from 'undici'

const WARM_UP_TURNS = 10

/**
 * Makes the calls alternately, so that other load on the machine affects all. Returns the durations of each call in
 * milliseconds.
 */
export async function timeInTurn(
	asks: readonly ((turn: number) => Promise<unknown>)[],
	turns: number,
): Promise<number[][]> {
	const times = asks.map((): number[] => [])
	for (let turn = 0; turn < WARM_UP_TURNS + turns; turn++) {
		for (const [which, ask] of asks.entries()) {
			const startedAt = performance.now()
			await ask(turn)
			if (turn >= WARM_UP_TURNS) times[which]?.push(performance.now() - startedAt)
		}
	}
	return times
}

/** Requests a path and reads the answer to its end. */
export async function get(pool: Pool, path: string, token: string): Promise<void> {
	const headers = { authorization: `Bearer ${token}` }
	const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
	const text = await body.text()
	if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 200)}`)
}
