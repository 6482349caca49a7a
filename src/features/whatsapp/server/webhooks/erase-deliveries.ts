import type { ErasedPerson } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { parseWithinBounds } from '#lib/server/http/body/json-body.ts'
import { isRecord } from '../graph-client.ts'
import { deleteDeliveries, lockHolding, updateBody } from './queries.ts'

/**
 * Erases a person from waiting webhooks and dead letters. Messages from the person are deleted; status updates remain
 * without the number, because money depends on them. Webhooks that are not JSON are deleted, because they cannot be
 * processed. Returns the number of changed webhooks.
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

/** Returns true for a message from or to the person, and for a contact card, preference or phone-app contact of the person. */
function isWrittenBy(value: unknown, isName: (value: unknown) => boolean): boolean {
	if (!isRecord(value)) return false
	const { from, wa_id, user_id, from_user_id, to, to_user_id, contact } = value
	const inApp = isRecord(contact) ? contact.phone_number : undefined
	return [from, wa_id, user_id, from_user_id, to, to_user_id, inApp].some(isName)
}
