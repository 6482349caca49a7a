import { notices } from '#features/notifications/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Note } from '#lib/server/notify.ts'
import { qualityOf, readReason, statusOf, type MetaTemplate } from './meta-template.ts'
import * as queries from './queries.ts'

/** One change of a webhook: message_template_status_update, message_template_quality_update or template_category_update. */
interface TemplateChange {
	field: string
	value: Record<string, unknown>
}

type Changed = Partial<Pick<MetaTemplate, 'status' | 'quality' | 'category' | 'rejectedReason'>>

/**
 * Takes over what Meta says has become of a template, and returns the notification for its owner, or null where there
 * is none: the change was known, its template is not, or it is of a kind that nobody needs to hear of.
 */
export async function applyTemplateStatus(sql: Sql, owner: OwnerId, change: TemplateChange): Promise<Note | null> {
	const { value } = change
	const name = text(value.message_template_name)
	// Some webhooks write en-US for what is en_US everywhere else.
	const language = text(value.message_template_language)?.replace('-', '_')
	if (!name || !language) return null
	const announced = announcedCategory(value)
	if (announced) return notices.templateMoveAnnounced({ name, to: announced })
	const changed = readChange(value)
	const before = await queries.updateTemplate(sql, owner, { name, language, ...changed })
	if (!before) return null
	announceLive(sql, owner, { kind: 'templates' })
	return noticeOf(name, changed, { before, value })
}

/** By its keys rather than its field: Meta's own pages print quality changes under the field of status changes. */
function readChange(value: Record<string, unknown>): Changed {
	const quality = text(value.new_quality_score)
	if (quality) return { quality: qualityOf(quality) }
	const category = text(value.new_category)
	if (category) return { category }
	const event = text(value.event)
	const status = event ? statusOf(event) : null
	if (!status) return {}
	return { status, rejectedReason: status === 'REJECTED' ? reasonIn(value) : null }
}

/** The category a template will have: such a change is announced a day ahead, with today's as `new_category`. */
function announcedCategory(value: Record<string, unknown>): string | null {
	return text(value.correct_category)
}

function noticeOf(
	name: string,
	changed: Changed,
	{ before, value }: { before: { category: string }; value: Record<string, unknown> },
): Note | null {
	if (changed.category) return notices.templateRecategorised({ name, from: before.category, to: changed.category })
	if (changed.quality === 'LOW') return notices.templateQualityLow({ name })
	const data = { name, reason: reasonIn(value) }
	if (changed.status === 'APPROVED') return notices.templateApproved(data)
	if (changed.status === 'REJECTED') return notices.templateRejected(data)
	if (changed.status === 'PAUSED') return notices.templatePaused(data)
	return changed.status === 'DISABLED' ? notices.templateDisabled(data) : null
}

/** Meta's advice where it gives any, else its code. */
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
	return typeof value === 'string' && value !== '' ? value : null
}
