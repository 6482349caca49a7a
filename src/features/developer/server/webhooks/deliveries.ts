import { hasAddress } from '#features/events/server/address-queries.ts'
import { listDeliveries, type DeliveryRow } from '#features/events/server/delivery-queries.ts'
import { notFound } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { pageOf } from '../paging.ts'

/** Returns a page of an address's deliveries, latest first. Throws a 404 for an unknown address. */
export async function pageOfDeliveries(
	sql: Sql,
	accountId: AccountId,
	{ address, cursor, limit }: { address: string; cursor?: string | undefined; limit: number },
) {
	if (!(await hasAddress(sql, accountId, address))) throw notFound('Webhook')
	const rows = await listDeliveries(sql, accountId, { address, before: cursor, limit: limit + 1 })
	return pageOf(rows, { limit, cursorOf: ({ id }) => id, present: presentDelivery })
}

function presentDelivery({ isDelivered, isWaiting, ...row }: DeliveryRow) {
	const ended = isDelivered ? ('delivered' as const) : ('failed' as const)
	return { ...row, state: isWaiting ? ('waiting' as const) : ended }
}
