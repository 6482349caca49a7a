import type { Account } from '#simulator/state/accounts.ts'
import type { Component, Template } from '#simulator/state/templates.ts'
import type { Call } from '../call.ts'
import { project } from '../fields.ts'
import { isObject, type JsonObject, shown } from '../json.ts'
import { mediaIdOfHandle } from '../media/uploads.ts'
import { page } from '../paging.ts'

// Fields returned without a `fields` parameter. Meta returns quality_score and rejected_reason only when requested.
const DEFAULT_FIELDS = [
	'name',
	'parameter_format',
	'previous_category',
	'components',
	'language',
	'status',
	'category',
	'sub_category',
	'id',
]

type Filter = (template: Template, wanted: string) => boolean

const FILTERS: Record<string, Filter> = {
	name: (template, wanted) => template.name === wanted,
	status: (template, wanted) => listed(wanted, template.status),
	category: (template, wanted) => listed(wanted, template.category),
	language: (template, wanted) => listed(wanted, template.language),
	quality_score: (template, wanted) => listed(wanted, template.quality),
	name_or_content: (template, wanted) => template.name.includes(wanted) || contains(template, wanted),
	content: contains,
}

export function listTemplates(account: Account, call: Call): unknown {
	let templates = call.state.templates.of(account.id)
	for (const [name, filter] of Object.entries(FILTERS)) {
		const wanted = call.query.get(name)
		if (wanted !== null) templates = templates.filter((template) => filter(template, wanted))
	}
	return page(templates, call, (template) => showTemplate(template, call))
}

export function getTemplate(template: Template, call: Call): unknown {
	return showTemplate(template, call)
}

function showTemplate(template: Template, { query, origin }: Call): JsonObject {
	const { quality, quality_at } = template
	const fields = {
		id: template.id,
		name: template.name,
		language: template.language,
		status: template.status,
		category: template.category,
		sub_category: null,
		previous_category: template.previous_category,
		correct_category: template.correct_category,
		components: template.components.map((component) => withSampleUrl(component, origin)),
		parameter_format: template.parameter_format,
		quality_score: { score: quality, date: Math.floor(quality_at / 1_000) },
		rejected_reason: template.rejected_reason,
		last_updated_time: new Date(template.updated_at).toISOString().replace(/\.\d+Z$/, '+0000'),
		message_send_ttl_seconds: template.message_send_ttl_seconds,
		library_template_name: null,
		cta_url_link_tracking_opted_out: null,
		health_status: { can_send_message: 'AVAILABLE', entities: [] },
	}
	return project(fields, { requested: query.get('fields'), defaults: DEFAULT_FIELDS, node: 'WhatsAppMessageTemplate' })
}

// Replaces each handle with a URL that shows the sample.
function withSampleUrl(component: Component, origin: string): Component {
	const { cards, example } = component
	if (Array.isArray(cards))
		return { ...component, cards: cards.filter(isObject).map((card) => withSampleUrls(card, origin)) }
	const handles = isObject(example) ? example['header_handle'] : undefined
	if (!isObject(example) || !Array.isArray(handles)) return component
	const urls = handles.map((handle) => `${origin}/scontent/${mediaIdOfHandle(String(handle)) ?? 'sample'}`)
	return { ...component, example: { ...example, header_handle: urls } }
}

function withSampleUrls(card: JsonObject, origin: string): JsonObject {
	const { components } = card
	if (!Array.isArray(components)) return card
	return { ...card, components: components.filter(isObject).map((each) => withSampleUrl(each, origin)) }
}

// Returns true if a filter contains the value. A filter may contain several values, separated by commas or as a JSON list.
function listed(wanted: string, value: string): boolean {
	return wanted
		.replace(/[[\]"\s]/g, '')
		.toUpperCase()
		.split(',')
		.includes(value.toUpperCase())
}

function contains(template: Template, wanted: string): boolean {
	return template.components.some((component) => shown(component['text']).includes(wanted))
}
