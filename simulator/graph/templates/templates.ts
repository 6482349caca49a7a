import type { NetworkState } from '#simulator/network-state.ts'
import { scheduleReview } from '#simulator/network/review.ts'
import { announceStatus } from '#simulator/network/template-changes.ts'
import type { Account } from '#simulator/state/accounts.ts'
import type { Template, TemplateCategory } from '#simulator/state/templates.ts'
import type { Call } from '../call.ts'
import { invalidParam, unknownObject } from '../errors.ts'
import { type JsonObject, shown, stringOf } from '../json.ts'
import { paramsOf, textParam, unpacked } from '../params.ts'
import { checkedComponents } from './components.ts'
import { libraryComponents } from './library.ts'
import { languageTaken, refusal, unknownName } from './refusal.ts'
import { ttlOf } from './ttl.ts'

const CATEGORIES: readonly string[] = ['MARKETING', 'UTILITY', 'AUTHENTICATION']
const MAX_TEMPLATES = 6_000
const DAY_MS = 24 * 60 * 60 * 1_000

export function createTemplate(account: Account, call: Call): unknown {
	const { state } = call
	const params = paramsOf(call)
	const name = textParam(params, 'name')
	if (!/^[a-z0-9_]{1,512}$/.test(name)) throw refusal('name')
	const language = textParam(params, 'language')
	if (!/^[a-z]{2,3}(_[A-Z]{2,3})?$/.test(language))
		throw invalidParam(`Param language must be one of the supported codes - got "${language}".`)
	const category = categoryOf(params['category'])
	const format = formatOf(params['parameter_format'])
	if (state.templates.inLanguage(account.id, name, language)) throw languageTaken(language, false)
	if (state.templates.isLocked({ waba_id: account.id, name, language })) throw languageTaken(language, true)
	if (state.templates.of(account.id).length >= MAX_TEMPLATES) throw refusal('limit')
	const ready = libraryComponents(params, language)
	const components = ready ?? checkedComponents(unpacked(params['components']), { state, category, format })
	const now = Date.now()
	const template: Template = {
		id: state.templates.newId(),
		waba_id: account.id,
		name,
		language,
		// A text of the library needs no review.
		status: ready ? 'APPROVED' : 'PENDING',
		category: ready ? category : classifiedCategory(category, components),
		previous_category: null,
		correct_category: null,
		components,
		parameter_format: format,
		quality: 'UNKNOWN',
		quality_at: now,
		rejected_reason: 'NONE',
		message_send_ttl_seconds: ttlOf(params['message_send_ttl_seconds'], category),
		updated_at: now,
		edited_at: [],
		review_at: ready ? null : now + state.reviewDelayMs,
	}
	state.templates.save(template)
	if (ready) announceStatus(state, template, { event: 'APPROVED', reason: 'NONE' })
	else scheduleReview(state, template)
	return { id: template.id, status: template.status, category: template.category }
}

export function editTemplate(template: Template, call: Call): unknown {
	const { state } = call
	const params = paramsOf(call)
	if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) throw refusal('not-editable')
	const category = params['category'] === undefined ? template.category : categoryOf(params['category'])
	if (template.status === 'APPROVED') {
		if (category !== template.category) throw refusal('category-fixed')
		const recent = template.edited_at.filter((at) => at > Date.now() - 30 * DAY_MS)
		if (recent.length >= 10 || recent.some((at) => at > Date.now() - DAY_MS)) throw refusal('edited-too-often')
	}
	if (params['components'] !== undefined) {
		const context = { state, category, format: template.parameter_format }
		template.components = checkedComponents(unpacked(params['components']), context)
	}
	if (params['message_send_ttl_seconds'] !== undefined) {
		template.message_send_ttl_seconds = ttlOf(params['message_send_ttl_seconds'], category)
	}
	template.category = classifiedCategory(category, template.components)
	template.correct_category = null
	template.status = 'PENDING'
	template.rejected_reason = 'NONE'
	template.updated_at = Date.now()
	template.edited_at.push(template.updated_at)
	template.review_at = template.updated_at + state.reviewDelayMs
	state.templates.save(template)
	scheduleReview(state, template)
	return { success: true }
}

/**
 * Deletes templates by name (every language), by id and name, or by a list of ids. Throws Graph's error when one of
 * them is disabled.
 */
export function deleteTemplates(account: Account, call: Call): unknown {
	const params = paramsOf(call)
	const selected = templatesToDelete(params, account, call.state)
	if (selected.some((template) => template.status === 'DISABLED')) throw refusal('disabled')
	for (const template of selected) {
		call.state.templates.delete(template)
		announceStatus(call.state, template, { event: 'DELETED' })
	}
	return { success: true }
}

function templatesToDelete(params: JsonObject, account: Account, state: NetworkState): Template[] {
	const ids = unpacked(params['hsm_ids'])
	const name = stringOf(params['name'])
	const id = stringOf(params['hsm_id'])
	const wanted = Array.isArray(ids) ? ids.map(String) : id === null ? null : [id]
	if (wanted) {
		const found = wanted.map((each) => state.templates.find(each))
		const mine = found.filter((template) => template?.waba_id === account.id && (!name || template.name === name))
		if (mine.length < wanted.length) throw unknownObject('DELETE', wanted.join(','))
		return mine.filter((template) => template !== undefined)
	}
	if (!name) throw invalidParam('The parameter name is required.')
	const named = state.templates.named(account.id, name)
	if (named.length === 0) throw unknownName(name)
	return named
}

export function unpauseTemplate(template: Template, { state }: Call): unknown {
	if (template.status !== 'PAUSED') throw refusal('not-paused')
	template.status = 'APPROVED'
	template.updated_at = Date.now()
	state.templates.save(template)
	announceStatus(state, template, { event: 'APPROVED', other_info: { title: 'UNPAUSE', description: 'Unpaused.' } })
	return { success: true }
}

function categoryOf(value: unknown): TemplateCategory {
	if (CATEGORIES.includes(shown(value))) return value as TemplateCategory
	throw invalidParam(`Param category must be one of {${CATEGORIES.join(', ')}} - got "${shown(value)}".`)
}

function formatOf(value: unknown): Template['parameter_format'] {
	if (value === undefined) return 'POSITIONAL'
	const format = shown(value).toUpperCase()
	if (format === 'POSITIONAL' || format === 'NAMED') return format
	throw invalidParam(`Param parameter_format must be one of {POSITIONAL, NAMED} - got "${shown(value)}".`)
}

// Returns the category that Meta assigns: MARKETING for a body that advertises, even when UTILITY was requested.
function classifiedCategory(requested: TemplateCategory, components: JsonObject[]): TemplateCategory {
	if (requested !== 'UTILITY') return requested
	const body = components.find((component) => component['type'] === 'BODY')
	return /\b(offers?|sale)\b|% off/i.test(shown(body?.['text'])) ? 'MARKETING' : 'UTILITY'
}
