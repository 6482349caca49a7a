import { notFound } from '#lib/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { MetaTemplate } from './meta-template.ts'
import * as queries from './queries.ts'
import type { Template } from './queries.ts'

/** Returns a template by Meta's id or by ours. Throws a 404 when there is none. */
export async function getTemplate(sql: Sql, accountId: AccountId, id: string): Promise<Template> {
	const template = await queries.findTemplate(sql, accountId, id)
	if (!template) throw notFound('Template')
	return template
}

/** Writes templates as Meta describes them, over rows of the same name and language. */
export async function upsertTemplates(sql: Sql, accountId: AccountId, templates: MetaTemplate[]): Promise<void> {
	const byName = new Map(templates.map((template) => [`${template.name} ${template.language}`, template]))
	await queries.upsertTemplates(sql, accountId, [...byName.values()])
	announceLive(sql, accountId, { kind: 'templates' })
}
