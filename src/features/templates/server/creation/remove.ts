import { recordWork } from '#features/auth/server/service.ts'
import { problem } from '#features/templates/problems.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { deleteTemplates } from '#features/whatsapp/server/cloud-api-templates.ts'
import { GraphError, type CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { requireSender } from '#features/whatsapp/server/service.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Log } from '#lib/server/log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { listNamed } from '../queries.ts'
import { refusalOf } from '../refusal.ts'
import { deleteNamed } from './creation-queries.ts'

/**
 * Function that returns the name of a campaign that still has to send a template, or null. Composed by the app, because
 * templates must not import campaigns.
 */
export type FindTemplateUse = (sql: Sql, accountId: AccountId, name: string) => Promise<string | null>

export interface RemovalContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	log: Log
	findTemplateUse: FindTemplateUse
}

/** Meta's subcode for an unknown template name. */
const UNKNOWN_NAME = 2593002

/**
 * Deletes all languages of a template, first at Meta, then here, and records it for the person whose id is `by`. Throws a 404 for an unknown template, and a 409 while
 * a campaign still has to send it.
 */
export async function removeTemplate(
	context: RemovalContext,
	accountId: AccountId,
	{ name, by }: { name: string; by: number },
): Promise<void> {
	const { db } = context
	const languages = await listNamed(db, accountId, name)
	if (languages.length === 0) throw notFound('Template')
	const campaign = await context.findTemplateUse(db, accountId, name)
	if (campaign !== null) {
		throw problem('template_in_use', { campaign })
	}
	if (languages.some(({ goneAt }) => goneAt === null)) await removeAtMeta(context, accountId, name)
	await transaction(db, async (sql) => {
		await deleteNamed(sql, accountId, name)
		await recordWork(sql, accountId, { by, action: 'template-deleted', details: templateTitle(name) })
		announceLive(sql, accountId, { kind: 'templates' })
	})
}

async function removeAtMeta(
	{ db, vault, cloudApi, log }: RemovalContext,
	accountId: AccountId,
	name: string,
): Promise<void> {
	const sender = await requireSender(db, vault, accountId)
	try {
		await deleteTemplates(cloudApi, sender.wabaId, { ...sender, name })
	} catch (error) {
		if (error instanceof GraphError && error.fault?.subcode === UNKNOWN_NAME) return
		log.warn({ error, accountId }, 'Meta did not delete a template')
		throw refusalOf(error, 'delete template')
	}
}
