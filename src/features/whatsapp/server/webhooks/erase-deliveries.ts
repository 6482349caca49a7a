import type { AccountId, Sql } from '#lib/server/db.ts'
import { parseWithinBounds } from '#lib/server/http/json-body.ts'
import { isRecord } from '../graph-client.ts'
import { deleteDeliveries, lockHolding, updateBody } from './queries.ts'

/** Who is erased: what webhooks may name them by, and what stands for a text of theirs from now on. */
interface ErasedPerson {
	names: readonly string[]
	formOf: (text: string) => string
}

/**
 * Takes a person out of the webhooks that are waiting or kept: what they wrote goes, and reports on what they were sent stay
 * without their number, as money depends on them. What is no JSON cannot be processed, and goes whole. Returns how many changed.
 */
export async function eraseFromDeliveries(sql: Sql, accountId: AccountId, person: ErasedPerson): Promise<number> {
	let changed = 0
	for (let after = 0; ;) {
		const deliveries = await lockHolding(sql, accountId, { texts: person.names, after })
		for (const { id, body } of deliveries) {
			const rest = withoutPerson(body, person)
			if (rest === null) await deleteDeliveries(sql, accountId, [id])
			else await updateBody(sql, accountId, { id, body: rest })
		}
		changed += deliveries.length
		const last = deliveries.at(-1)
		if (!last) return changed
		after = last.id
	}
}

function withoutPerson(body: string, person: ErasedPerson): string | null {
	try {
		const isName = (value: unknown) => person.names.includes(String(value).replace(/^\+/, ''))
		return JSON.stringify(parseWithinBounds(body), (_key, value: unknown) => {
			if (Array.isArray(value)) return (value as unknown[]).filter((one) => !isWrittenBy(one, isName))
			if (isRecord(value) && isName(value.recipient_id)) return { ...value, id: person.formOf(String(value.id)) }
			return typeof value === 'string' && isName(value) ? person.formOf(value.replace(/^\+/, '')) : value
		})
	} catch {
		return null
	}
}

/** A message, a contact's card or a preference of theirs. */
function isWrittenBy(value: unknown, isName: (value: unknown) => boolean): boolean {
	return isRecord(value) && [value.from, value.wa_id, value.user_id, value.from_user_id].some(isName)
}
