import { recordEvents } from '#features/events/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { rejectionText, templateTitle } from '#features/templates/template-words.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { NewNotification } from '#lib/server/db/channels/notify.ts'
import { categoryOf, qualityOf, readReason, statusOf } from '../meta-template.ts'
import { updatedComponents } from './component-update.ts'
import { lockTemplate, updateTemplate, type ChangeableParts } from './sync-queries.ts'

/** Change of a template's category. */
export interface TemplateMove {
	name: string
	language: string
	from: string
	to: string
}

/** Called in the transaction of a category change. Composed by the app, because templates must not import campaigns. */
export type OnTemplateMoved = (sql: Sql, accountId: AccountId, move: TemplateMove) => Promise<void>

/** One change in a webhook: of a template's status, quality, category or components. */
interface TemplateChange {
	field: string
	value: Record<string, unknown>
	onTemplateMoved: OnTemplateMoved
}

/**
 * Applies a webhook about a template. Returns the notifications for the account: none when nothing changed, the
 * template is unknown, or the change does not concern its users.
 */
export async function applyTemplateChange(
	sql: Sql,
	accountId: AccountId,
	change: TemplateChange,
): Promise<NewNotification[]> {
	const { field, value } = change
	const name = text(value.message_template_name)
	// Some webhooks write en-US for en_US.
	const language = text(value.message_template_language)?.replace('-', '_')
	if (!name || !language) return []
	const before = await lockTemplate(sql, accountId, { name, language })
	if (!before) return []
	const changed = field === COMPONENTS ? readComponents(before, value) : readChange(before, value)
	const isDeleted = changed.status === 'DELETED'
	// Only a sync clears `goneAt`, because late webhooks may describe a time before the deletion.
	const after = { ...before, ...changed, ...(isDeleted && { goneAt: before.goneAt ?? before.readAt }) }
	if (JSON.stringify(after) === JSON.stringify(before)) return []
	await updateTemplate(sql, accountId, { name, language, ...after })
	if (after.category !== before.category) {
		await change.onTemplateMoved(sql, accountId, { name, language, from: before.category, to: after.category })
	}
	announceLive(sql, accountId, { kind: 'templates' })
	const reason = reasonIn(value)
	await recordStatus(sql, accountId, { name, language, before, after, reason })
	// A detection names no `new_category`.
	const isDetected = categoryIn(value.new_category) === null
	return notificationsOf(name, { before, after, reason, isDetected })
}

/** Records an event for a template's new status; nothing when the status is unchanged. */
export async function recordStatus(
	sql: Sql,
	accountId: AccountId,
	{ name, language, before, after, reason }: ReportedChange & { name: string; language: string },
): Promise<void> {
	const { status, category } = after
	if (status === before.status) return
	const data = { name, language, status, category, reason }
	await recordEvents(sql, accountId, [{ type: 'template.status', at: new Date(), data }])
}

const COMPONENTS = 'message_template_components_update'

/**
 * Reads a change by its keys and not by its field: Meta's documentation shows quality changes under the field of status
 * changes.
 */
function readChange(before: ChangeableParts, value: Record<string, unknown>): Partial<ChangeableParts> {
	const announced = categoryIn(value.correct_category)
	// A change is announced a day ahead, with the current category as `new_category`; a detection names it as `category`.
	if (announced) return { correctCategory: announced === before.category ? null : announced }
	const quality = text(value.new_quality_score)
	if (quality) return { quality: qualityOf(quality) }
	const category = categoryIn(value.new_category)
	return category ? moveTo(before, category) : readStatus(before, value)
}

function categoryIn(value: unknown): string | null {
	const word = text(value)
	return word && categoryOf(word)
}

function moveTo(before: ChangeableParts, category: string): Partial<ChangeableParts> {
	const isMoved = category !== before.category
	return { category, correctCategory: null, ...(isMoved && { previousCategory: before.category }) }
}

function readStatus(before: ChangeableParts, value: Record<string, unknown>): Partial<ChangeableParts> {
	const event = text(value.event)
	const status = event ? statusOf(event) : null
	if (!status) return {}
	// A review may end in another category. Later status updates may be older than a category change, so the category
	// in them is ignored.
	const approvedAs =
		status === 'APPROVED' && before.status === 'PENDING' ? categoryIn(value.message_template_category) : null
	const category = approvedAs && approvedAs !== before.category ? moveTo(before, approvedAs) : {}
	return { ...category, status, rejectedReason: status === 'REJECTED' ? reasonIn(value) : null }
}

function readComponents(before: ChangeableParts, value: Record<string, unknown>): Partial<ChangeableParts> {
	const components = updatedComponents(before.components, value)
	// Meta checks an edited template anew.
	const isEdited = JSON.stringify(components) !== JSON.stringify(before.components)
	return { components, ...(isEdited && { correctCategory: null }) }
}

interface ReportedChange {
	before: ReportedParts
	after: ReportedParts
	reason: string | null
	/** True when Meta only considers another category right, and has not announced a change. */
	isDetected?: boolean
}

type ReportedParts = Pick<ChangeableParts, 'status' | 'category' | 'correctCategory' | 'quality'>

/** Returns the notifications for a template's change, first the notifications about the price. */
export function notificationsOf(
	templateName: string,
	{ before, after, reason, isDetected = false }: ReportedChange,
): NewNotification[] {
	const name = templateTitle(templateName)
	const { status, category, correctCategory, quality } = after
	const announced = correctCategory !== before.correctCategory && correctCategory !== category ? correctCategory : null
	const notes = [
		category === before.category
			? null
			: notificationOf.templateRecategorised({ name, from: before.category, to: category }),
		announced
			? notificationOf[isDetected ? 'templateMoveDetected' : 'templateMoveAnnounced']({ name, to: announced })
			: null,
		quality === 'LOW' && before.quality !== 'LOW' ? notificationOf.templateQualityLow({ name }) : null,
		status === before.status ? null : statusNotification(status, { name, reason }),
	]
	return notes.filter((note) => note !== null)
}

/** Returns the notification for a new status; null for a status that does not concern users. */
function statusNotification(
	status: string,
	{ name, reason }: { name: string; reason: string | null },
): NewNotification | null {
	if (status === 'APPROVED') return notificationOf.templateApproved({ name })
	if (status === 'REJECTED') return notificationOf.templateRejected({ name, reason: reason && rejectionText(reason) })
	if (status === 'PAUSED') return notificationOf.templatePaused({ name, reason })
	return status === 'DISABLED' ? notificationOf.templateDisabled({ name, reason }) : null
}

/** Returns Meta's advice, or its code when there is none; null without either. */
function reasonIn(value: Record<string, unknown>): string | null {
	const advice = [value.rejection_info, value.other_info].map((info) =>
		typeof info === 'object' && info !== null ? (info as Record<string, unknown>) : {},
	)
	return (
		text(advice[0]?.recommendation) ??
		text(advice[0]?.reason) ??
		text(advice[1]?.description) ??
		readReason(value.reason)
	)
}

function text(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value.replaceAll('\0', '').slice(0, MAX_TEXT_LENGTH) : null
}

/** Maximum characters read; more than Meta writes. */
const MAX_TEXT_LENGTH = 2000
