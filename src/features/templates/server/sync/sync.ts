import { findTemplatesNamed, listTemplatePages } from '#features/whatsapp/server/cloud-api-templates.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { requireSender } from '#features/whatsapp/server/service.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { getNow } from '#lib/server/db/now.ts'
import type { Log } from '#lib/server/log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { Storage } from '#lib/server/storage/storage.ts'
import { readTemplate, type MetaTemplate } from '../meta-template.ts'
import { lockTemplates, upsertTemplates, type TemplateBefore, type TemplateRef } from '../queries.ts'
import { accountRefusalOf } from '../refusal.ts'
import { notificationsOf, recordStatus, type OnTemplateMoved } from './changes.ts'
import { fetchSamples } from './samples.ts'
import * as queries from './sync-queries.ts'

export interface SyncContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: Storage
	log: Log
	notify: Notify
	onTemplateMoved: OnTemplateMoved
}

/** Templates written per transaction. */
const BATCH_SIZE = 500
/** Header files downloaded while the user waits; the hourly sync downloads the others. */
const SAMPLES_AT_ONCE = 20

/**
 * Fetches all templates from Meta, marks stored templates that Meta no longer lists as gone, and returns the number of
 * fetched templates. Users are notified of changes as for webhooks; an interrupted sync marks nothing as gone and can
 * be repeated.
 */
export async function syncTemplates(
	context: SyncContext,
	accountId: AccountId,
	{ maxSamples = SAMPLES_AT_ONCE }: { maxSamples?: number } = {},
): Promise<number> {
	const { db, vault, log } = context
	// Records the attempt first, so that a failed sync is tried again in an hour and not immediately.
	const begunAt = await queries.beginSync(db, accountId)
	const sender = await requireSender(db, vault, accountId)
	const listed = await listAtMeta(context, sender).catch((error: unknown) => {
		log.warn({ error, accountId }, 'templates could not be fetched')
		throw accountRefusalOf(error, 'sync templates')
	})
	// Writes the oldest templates first, so that the newest get the highest ids.
	const batches = batchesOf(listed.templates.toReversed())
	for (const batch of batches) await writeBatch(context, accountId, { batch: batch.toReversed(), begunAt })
	await transaction(db, async (sql) => {
		await queries.lockSync(sql, accountId)
		await queries.touchTemplates(sql, accountId, listed.unreadable)
		await queries.markGone(sql, accountId, begunAt)
		await queries.finishSync(sql, accountId)
		announceLive(sql, accountId, { kind: 'templates' })
	})
	await fetchSamples(context, accountId, maxSamples)
	return listed.templates.length
}

/**
 * Reads one template from Meta again and writes it, as a sync does. Returns its category; null when Meta does not list it.
 */
export async function rereadTemplate(
	context: SyncContext,
	accountId: AccountId,
	{ name, language }: TemplateRef,
): Promise<string | null> {
	const { db, vault, cloudApi } = context
	const begunAt = await getNow(db)
	const sender = await requireSender(db, vault, accountId)
	const rows = await findTemplatesNamed(cloudApi, sender.wabaId, { ...sender, name })
	const found = rows.map(readTemplate).flatMap((template) => (template?.language === language ? [template] : []))
	await writeBatch(context, accountId, { batch: found, begunAt })
	return found[0]?.category ?? null
}

interface Listed {
	/** Templates, the newest first. */
	templates: MetaTemplate[]
	/** Meta's ids of unreadable rows. */
	unreadable: string[]
}

/** Lists all templates at Meta. Removes duplicates, which occur when the list restarts from the beginning. */
async function listAtMeta(
	{ cloudApi, log }: SyncContext,
	{ wabaId, accessToken }: { wabaId: string; accessToken: string },
): Promise<Listed> {
	const templates = new Map<string, MetaTemplate>()
	const unreadable: string[] = []
	for await (const rows of listTemplatePages(cloudApi, wabaId, { accessToken })) {
		for (const row of rows) {
			const template = readTemplate(row)
			if (template) templates.set(keyOf(template), template)
			else unreadable.push(String(row.id))
		}
	}
	if (unreadable.length > 0) log.warn({ unreadable: unreadable.slice(0, 10) }, 'templates that cannot be read')
	return { templates: [...templates.values()], unreadable }
}

function batchesOf<T>(rows: T[]): T[][] {
	return Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, index) =>
		rows.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
	)
}

/**
 * Writes a batch. Skips templates that a webhook has changed since the sync began, because the webhook is newer than
 * the list.
 */
async function writeBatch(
	context: SyncContext,
	accountId: AccountId,
	{ batch, begunAt }: { batch: MetaTemplate[]; begunAt: Date },
): Promise<void> {
	await retriedTransaction(context.db, async (sql) => {
		await queries.lockSync(sql, accountId)
		const known = new Map((await lockTemplates(sql, accountId, batch)).map((row) => [keyOf(row), row]))
		const listed = batch.filter((template) => {
			const changedAt = known.get(keyOf(template))?.changedAt
			return !changedAt || changedAt < begunAt
		})
		await upsertTemplates(sql, accountId, listed)
		await followChanges(context, accountId, { sql, known, listed })
	})
}

function keyOf({ name, language }: TemplateRef): string {
	return `${name} ${language}`
}

/**
 * Notifies, records events and calls `onTemplateMoved` for each changed template, as a webhook about the change would.
 */
async function followChanges(
	{ notify, onTemplateMoved }: SyncContext,
	accountId: AccountId,
	{ sql, known, listed }: { sql: Sql; known: Map<string, TemplateBefore>; listed: MetaTemplate[] },
): Promise<void> {
	for (const now of listed) {
		const was = known.get(keyOf(now))
		if (!was) continue
		const { name, language, category, rejectedReason: reason } = now
		const after = now.keepsCorrectCategory ? { ...now, correctCategory: was.correctCategory } : now
		if (was.category !== category)
			await onTemplateMoved(sql, accountId, { name, language, from: was.category, to: category })
		await recordStatus(sql, accountId, { name, language, before: was, after: now, reason })
		for (const change of notificationsOf(name, { before: was, after, reason })) await notify(sql, accountId, change)
	}
}
