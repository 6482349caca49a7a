import { SCHEMA_VERSION } from '#lib/server/db/schema/schema.ts'
import { parseWithinBounds } from '#lib/server/http/body/json-body.ts'
import { isRecord } from '../graph-client.ts'
import type { Delivery } from './queries.ts'

/** Kinds whose handlers lock chats or messages, in lock order. All other kinds concern an account or a template. */
export const MESSAGE_KINDS = ['history', 'smb_message_echoes', 'messages', 'smb_app_state_sync', 'statuses']

/** Fields without a handler that an administrator must read. */
const FOR_ADMINISTRATORS = new Set(['account_review_update', 'business_status_update', 'security'])
/** Fields that the product ignores: their changes are counted and dropped. */
const IGNORED = new Set([
	'account_settings_update',
	'automatic_events',
	'business_username_updates',
	'calls',
	'flows',
	'group_lifecycle_update',
	'group_participants_update',
	'group_settings_update',
	'group_status_update',
	'message_echoes',
	'messaging_handovers',
	'partner_solutions',
	'payment_configuration_update',
	'standby',
	'tracking_events',
	'user_actions',
	'user_id_update',
])

/** Returns true when changes of this kind are counted and dropped. */
export function isIgnored(kind: string): boolean {
	return IGNORED.has(kind)
}

const NOT_UNDERSTOOD = 'not understood: '

/** Returns the reason to make a webhook with these kinds a dead letter; null when all kinds are known. */
export function reasonForDeadLetter(kinds: readonly string[], isKnown: (kind: string) => boolean): string | null {
	const unknown = [...new Set(kinds)].filter((kind) => !isKnown(kind) && !isIgnored(kind))
	if (unknown.length === 0) return null
	const strange = unknown.filter((kind) => !FOR_ADMINISTRATORS.has(kind))
	return strange.length > 0 ? `${NOT_UNDERSTOOD}${strange.join(', ')}` : `for an administrator: ${unknown.join(', ')}`
}

/** Start of the reason of a failed webhook. Names the release, because another release may succeed. */
const FAILED = `failed on ${SCHEMA_VERSION}`

/** Returns the dead-letter reason of a webhook whose processing failed. */
export function failureReason(error: unknown): string {
	return `${FAILED}: ${error instanceof Error ? error.message : String(error)}`
}

/** Returns true when this release may succeed with dead letters of this reason. */
export function isWorthRetrying(reason: string, isKnown: (kind: string) => boolean): boolean {
	if (reason.startsWith('failed')) return reason !== FAILED
	return reason.startsWith(NOT_UNDERSTOOD) && kindsIn(reason).every((kind) => isKnown(kind) || isIgnored(kind))
}

function kindsIn(reason: string): string[] {
	return reason.slice(NOT_UNDERSTOOD.length).split(', ')
}

/**
 * Splits a webhook by kind. Each status is a value of its own; each other change is passed as its whole value. Clicks on
 * marketing messages, which name no person, arrive in the field "messages" and are the kind `user_actions`.
 */
export function kindsOf(delivery: Delivery): Map<string, unknown[]> {
	const kinds = new Map<string, unknown[]>()
	const body = parseWithinBounds(delivery.body)
	const changes = itemsOf(body, 'entry').flatMap((entry) => itemsOf(entry, 'changes'))
	for (const change of changes.filter(isRecord)) {
		const field = fieldOf(change)
		const value = isRecord(change.value) ? change.value : {}
		if (field !== 'messages' || !isRecord(change.value)) addValues(kinds, field, [change.value])
		else if (Array.isArray(value.statuses)) addValues(kinds, 'statuses', value.statuses as unknown[])
		if (field === 'messages' && Array.isArray(value.messages)) addValues(kinds, 'messages', [value])
		if (field === 'messages' && Array.isArray(value.user_actions)) addValues(kinds, 'user_actions', [value])
	}
	return kinds.size > 0 ? kinds : new Map([['nothing known', [null]]])
}

/** Returns the items of a list of a record: the `entry` list of a webhook, the `changes` of an entry; empty without that list. */
export function itemsOf(record: unknown, list: string): unknown[] {
	const items = isRecord(record) ? record[list] : undefined
	return Array.isArray(items) ? (items as unknown[]) : []
}

/** Returns the field of a change without NUL: dead-letter reasons have it, and texts of PostgreSQL cannot contain NUL. */
export function fieldOf(change: Record<string, unknown>): string {
	return String(change.field).replaceAll('\0', '')
}

/** Appends values. Uses a loop, because spreading thousands of statuses could exceed the limit on arguments. */
export function addValues(kinds: Map<string, unknown[]>, kind: string, values: readonly unknown[]): void {
	if (values.length === 0) return
	const list = kinds.get(kind)
	if (!list) kinds.set(kind, [...values])
	else for (const value of values) list.push(value)
}
