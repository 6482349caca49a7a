import { getSender, listTemplates, type CloudApi } from '#features/whatsapp/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import type { Log } from '#lib/server/log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { readTemplate, type MetaTemplate } from './meta-template.ts'
import * as queries from './queries.ts'
import type { Template } from './queries.ts'

export { applyTemplateStatus } from './changes.ts'
export type { MetaTemplate, Template }

/** By Meta's id or by ours. */
export async function getTemplate(sql: Sql, owner: OwnerId, id: string): Promise<Template> {
	const template = await queries.findTemplate(sql, owner, id)
	if (!template) throw notFound('Template')
	return template
}

/** Writes templates as Meta describes them, over those of the same name and language. */
export async function upsertTemplates(sql: Sql, owner: OwnerId, templates: MetaTemplate[]): Promise<void> {
	const byName = new Map(templates.map((template) => [`${template.name} ${template.language}`, template]))
	await queries.upsertTemplates(sql, owner, [...byName.values()])
	announceLive(sql, owner, { kind: 'templates' })
}

export interface SyncContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	log: Log
}

/** Fetches all templates from Meta; what it no longer lists goes, as campaigns hold their own copy. Returns how many there are. */
export async function syncTemplates(context: SyncContext, owner: OwnerId): Promise<number> {
	const { db, vault, cloudApi, log } = context
	const sender = await getSender(db, vault, owner)
	if (!sender) {
		throw new AppError(400, 'WhatsApp credentials are not set up. Please contact your administrator.')
	}
	// Taken before Meta is asked, so that a template created meanwhile is not mistaken for one that is gone.
	const known = await queries.listTemplateIds(db, owner)
	const rows = await listTemplates(cloudApi, sender.wabaId, sender).catch((error: unknown) => {
		log.warn({ error, owner }, 'templates could not be fetched')
		throw new AppError(502, 'Failed to sync templates')
	})
	const templates = rows.map(readTemplate).filter((template) => template !== null)
	await transaction(db, async (sql) => {
		await upsertTemplates(sql, owner, templates)
		const listed = new Set(rows.map((row) => String(row.id)))
		await queries.deleteTemplates(
			sql,
			owner,
			known.filter((id) => !listed.has(id)),
		)
	})
	return templates.length
}
