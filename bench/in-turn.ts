import type { Pool } from 'undici'

const WARM_UP_TURNS = 10

/** Asks for each in turn, so that other load on the machine affects all. Returns how long each took, in milliseconds. */
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

/** Reads an answer of the product to its end. */
export async function get(pool: Pool, path: string, token: string): Promise<void> {
	const headers = { authorization: `Bearer ${token}` }
	const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
	const text = await body.text()
	if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 200)}`)
}
