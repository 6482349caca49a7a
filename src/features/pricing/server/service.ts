import type { OwnerId, Sql } from '#lib/server/db.ts'
import * as queries from './queries.ts'
import type { Prices } from './queries.ts'

export type { Prices }

/** What one message costs this account; AUTHENTICATION costs the utility price. */
export function getPrices(sql: Sql, owner: OwnerId): Promise<Prices> {
	return queries.getPrices(sql, owner)
}

/** Gives a new account the prices it starts with. */
export function setFirstPrices(sql: Sql, owner: OwnerId, prices: Prices): Promise<void> {
	return queries.insertPrices(sql, owner, prices)
}
