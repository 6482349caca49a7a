import { setTimeout as sleep } from 'node:timers/promises'
import type { CreateTemplateBody, TemplateButton } from '#features/templates/contract.ts'
import { isMediaHeader } from '#features/templates/limits.ts'
import { problem } from '#features/templates/problems.ts'
import { templateProblems } from '#features/templates/rules.ts'
import { getTemplate as fetchTemplate, uploadSample } from '#features/whatsapp/server/cloud-api-templates.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { requireSender, type Sender } from '#features/whatsapp/server/service.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Log } from '#lib/server/log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import { createCountedLinks, withCountedTargets } from '../counted-links.ts'
import { loadHeaderFile, storeHeaderFile, type HeaderFile } from '../header-file.ts'
import type { Links } from '../links.ts'
import { readTemplate } from '../meta-template.ts'
import { findTemplate, upsertTemplates } from '../queries.ts'
import { uploadRefusalOf } from '../refusal.ts'
import * as queries from './creation-queries.ts'
import { metaBody } from './meta-body.ts'
import { isSame, submitAndConfirm } from './submit.ts'

export interface CreationContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: AccountStorage
	links: Links
	log: Log
}

interface Creation {
	form: CreateTemplateBody
	/** New file of the header; null without one. */
	file: HeaderFile | null
}

const WAIT_MS = 200
const MAX_WAIT_MS = 60_000

/**
 * Creates a template at Meta and here, and returns our id; throws a 400 with the message at its field for a broken rule
 * or a refusal by Meta. A repeated request id, also a concurrent one, returns the template that it created. Throws a
 * 409 for a repeated id with a different form, and when the first call takes longer than `MAX_WAIT_MS`.
 */
export async function createTemplate(
	context: CreationContext,
	accountId: AccountId,
	creation: Creation,
): Promise<string> {
	const { db } = context
	const file = await headerFileOf(context, accountId, creation)
	checkForm(creation.form, file)
	// Checked before Meta creates the template, which could not be sent without its file.
	if (file) await context.storage.requireRoom(accountId, file.content.length)
	const sender = await requireSender(db, context.vault, accountId)
	if (file && !sender.appId) throw problem('app_id_missing')
	const { requestId } = creation.form
	const submit = () => submitOnce(context, accountId, { form: creation.form, file, sender })
	if (requestId === undefined) return submit()
	for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += WAIT_MS) {
		const created = await queries.findByRequest(db, accountId, requestId)
		if (created) return refuseOtherForm(db, accountId, { id: created, form: creation.form })
		if (!(await queries.claimCreation(db, accountId, requestId))) {
			await sleep(WAIT_MS)
			continue
		}
		try {
			// The first request may have ended between the two queries.
			const first = await queries.findByRequest(db, accountId, requestId)
			return first ? await refuseOtherForm(db, accountId, { id: first, form: creation.form }) : await submit()
		} finally {
			await queries.deleteCreation(db, accountId, requestId)
		}
	}
	throw problem('template_being_created')
}

/**
 * Returns the id when the form created this template. Throws a 409 for a changed form, because the answer for this
 * template would be wrong for it.
 */
async function refuseOtherForm(
	db: Db,
	accountId: AccountId,
	{ id, form }: { id: string; form: CreateTemplateBody },
): Promise<string> {
	const created = await findTemplate(db, accountId, id)
	const wanted = metaBody(form, 'not compared')
	if (!created || (created.language === wanted.language && isSame(created, wanted))) return id
	throw problem('template_form_used', { name: created.name })
}

/**
 * Returns the header's new file, or the file of the template that is being duplicated. Null without either, and for a
 * header of text.
 */
async function headerFileOf(
	{ db, storage }: CreationContext,
	accountId: AccountId,
	{ form, file }: Creation,
): Promise<HeaderFile | null> {
	if (!isMediaHeader(form.header_type) || form.category === 'AUTHENTICATION') return null
	if (file || !form.header_from) return file
	const other = await findTemplate(db, accountId, form.header_from)
	return other ? loadHeaderFile(storage, other) : null
}

function checkForm(form: CreateTemplateBody, file: HeaderFile | null): void {
	const headerFile = file && { size: file.content.length, type: file.type }
	const problems = templateProblems({ ...form, headerFile, header_from: undefined })
	const [first] = problems
	if (!first) return
	// The first of several messages for one field is kept.
	const fields = Object.fromEntries(problems.toReversed().map(({ field, message }) => [field, message]))
	throw problem('template_invalid', { reason: first.message, fields })
}

interface Submission {
	form: CreateTemplateBody
	file: HeaderFile | null
	sender: Sender
}

async function submitOnce(context: CreationContext, accountId: AccountId, submission: Submission): Promise<string> {
	const { form, file, sender } = submission
	const handle = file ? await upload(context, sender, file) : undefined
	const body = metaBody(await withLinks(context, accountId, form), handle)
	const created = await submitAndConfirm(context, accountId, { body, sender })
	const headerFile = file ? await keepFile(context, accountId, file) : null
	const id = await transaction(context.db, async (sql) => {
		await queries.deleteGone(sql, accountId, body)
		await upsertTemplates(sql, accountId, [created])
		const { name, language } = body
		const writtenId = await queries.updateCreated(sql, accountId, {
			name,
			language,
			headerFile,
			requestId: form.requestId ?? null,
		})
		announceLive(sql, accountId, { kind: 'templates' })
		return writtenId
	})
	await readBack(context, accountId, { templateId: created.templateId, sender })
	return id
}

function isCounted({ type, count_clicks }: TemplateButton): boolean {
	return type === 'URL' && count_clicks === true
}

/** Returns the form with the product's own addresses in the buttons whose clicks are counted. */
async function withLinks(
	{ db, links }: CreationContext,
	accountId: AccountId,
	form: CreateTemplateBody,
): Promise<CreateTemplateBody> {
	if (form.category === 'AUTHENTICATION') return form
	const targets = form.buttons.filter(isCounted).map(({ url = '' }) => url)
	const template = { name: form.name.trim(), language: form.language.trim() }
	const made = await createCountedLinks(db, accountId, { ...template, links, targets })
	const buttons = form.buttons.map((button) => (isCounted(button) ? { ...button, ...made.shift() } : button))
	return { ...form, buttons }
}

/**
 * Reads the new template back from Meta: a status webhook may have arrived before the row was written, and only Meta
 * knows the preset text of AUTHENTICATION. On failure, the next sync corrects the row.
 */
async function readBack(
	{ db, cloudApi, log }: CreationContext,
	accountId: AccountId,
	{ templateId, sender }: { templateId: string; sender: Sender },
): Promise<void> {
	try {
		const described = readTemplate(await fetchTemplate(cloudApi, templateId, sender))
		if (!described) return
		const [template = described] = await withCountedTargets(db, accountId, [described])
		await queries.updateFromMeta(db, accountId, template)
	} catch (error) {
		log.warn({ error, accountId }, 'a new template could not be read back')
	}
}

async function upload(
	{ cloudApi, log }: CreationContext,
	{ appId, accessToken }: Sender,
	file: HeaderFile,
): Promise<string> {
	try {
		return await uploadSample(cloudApi, appId ?? '', { ...file, accessToken })
	} catch (error) {
		log.warn({ error }, 'a header’s file could not be uploaded')
		throw uploadRefusalOf(error)
	}
}

/**
 * Stores the header's file. Returns null when storing fails: the template exists at Meta, and its file can be fetched
 * or uploaded later.
 */
async function keepFile(
	{ storage, log }: CreationContext,
	accountId: AccountId,
	file: HeaderFile,
): Promise<string | null> {
	return storeHeaderFile(storage, accountId, file).catch((error: unknown) => {
		log.error({ error, accountId }, 'the file of a new template could not be stored')
		return null
	})
}
