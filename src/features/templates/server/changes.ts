import { announceLive } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Note } from '#lib/server/notify.ts'
import { qualityOf, statusOf } from '../rules.ts'
import { readReason, type MetaTemplate } from './meta-template.ts'
import * as queries from './queries.ts'

/** One change of a webhook: message_template_status_update, message_template_quality_update or template_category_update. */
interface TemplateChange {
	field: string
	value: Record<string, unknown>
}

type Changed = Partial<Pick<MetaTemplate, 'status' | 'quality' | 'category' | 'rejectedReason'>>

const link = '/user/template/management'

/**
 * Takes over what Meta says has become of a template, and returns what its owner should be notified of, or null where that is
 * nothing: the change was known, its template is not, or it is of a kind that nobody needs to hear of.
 */
export async function applyTemplateStatus(sql: Sql, owner: OwnerId, change: TemplateChange): Promise<Note | null> {
	const { value } = change
	const name = text(value.message_template_name)
	// Some webhooks write en-US for what is en_US everywhere else.
	const language = text(value.message_template_language)?.replace('-', '_')
	if (!name || !language) return null
	const announced = announcedCategory(value)
	if (announced)
		return { text: `WhatsApp will soon move template "${name}" to ${announced}, at the price of that`, link }
	const changed = readChange(value)
	const before = await queries.updateTemplate(sql, owner, { name, language, ...changed })
	if (!before) return null
	announceLive(sql, owner, { kind: 'templates' })
	const sentence = describe(changed, { before, value })
	return sentence ? { text: `Template "${name}" ${sentence}`, link } : null
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

function describe(
	changed: Changed,
	{ before, value }: { before: { category: string }; value: Record<string, unknown> },
): string | null {
	if (changed.category)
		return `is now ${changed.category}, not ${before.category}: new campaigns cost the price of that`
	if (changed.quality === 'LOW') return 'has low quality now: WhatsApp may pause it'
	const reason = reasonIn(value)
	const because = reason ? `: ${reason}` : ''
	const texts: Record<string, string> = {
		APPROVED: 'was approved',
		REJECTED: `was rejected${because}`,
		PAUSED: `was paused by WhatsApp${because}`,
		DISABLED: `was disabled by WhatsApp${because}`,
	}
	return texts[changed.status ?? ''] ?? null
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
