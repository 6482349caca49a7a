import { isRecord } from '../graph-client.ts'
import type { Delivery } from './queries.ts'

/** Their handlers lock messages, in this order; all other kinds concern an account or a template. */
export const MESSAGE_KINDS = ['messages', 'statuses']

/** What nothing in the product acts on, and a person has to read. */
const FOR_ADMINISTRATORS = new Set([
	'account_alerts',
	'account_review_update',
	'business_capability_update',
	'business_status_update',
	'security',
])
const NOT_UNDERSTOOD = 'not understood: '

/** Why a delivery with these kinds is kept, or null when all of it is understood. */
export function reasonToKeep(kinds: readonly string[], isKnown: (kind: string) => boolean): string | null {
	const unknown = [...new Set(kinds)].filter((kind) => !isKnown(kind))
	if (unknown.length === 0) return null
	const strange = unknown.filter((kind) => !FOR_ADMINISTRATORS.has(kind))
	return strange.length > 0 ? `${NOT_UNDERSTOOD}${strange.join(', ')}` : `for an administrator: ${unknown.join(', ')}`
}

/** Whether a delivery that was kept for this reason is understood by now, as by a newer version of the product. */
export function isUnderstoodNow(reason: string, isKnown: (kind: string) => boolean): boolean {
	return reason.startsWith(NOT_UNDERSTOOD) && reason.slice(NOT_UNDERSTOOD.length).split(', ').every(isKnown)
}

/** Takes a delivery apart: every status and message by itself, every other change as its whole value. */
export function kindsOf(delivery: Delivery): { kind: string; value: unknown }[] {
	const body = JSON.parse(delivery.body) as unknown
	const entries = isRecord(body) && Array.isArray(body.entry) ? (body.entry as unknown[]) : []
	const changes = entries.flatMap((entry) =>
		isRecord(entry) && Array.isArray(entry.changes) ? (entry.changes as unknown[]) : [],
	)
	const found = changes.filter(isRecord).flatMap((change) => {
		// PostgreSQL's text, in which the reason is kept, cannot hold NUL.
		const field = String(change.field).replaceAll('\0', '')
		if (field !== 'messages' || !isRecord(change.value)) return [{ kind: field, value: change.value }]
		const { statuses, messages } = change.value
		return [
			...(Array.isArray(statuses) ? (statuses as unknown[]).map((value) => ({ kind: 'statuses', value })) : []),
			...(Array.isArray(messages) ? [{ kind: 'messages', value: change.value as unknown }] : []),
		]
	})
	return found.length > 0 ? found : [{ kind: 'nothing known', value: null }]
}
