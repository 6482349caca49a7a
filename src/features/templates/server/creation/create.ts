import { setTimeout as sleep } from 'node:timers/promises'
import { recordWork } from '#features/auth/server/service.ts'
import type { CreateTemplateBody, TemplateButton } from '#features/templates/contract.ts'
import { isMediaHeader } from '#features/templates/limits.ts'
import { problem } from '#features/templates/problems.ts'
import { templateProblems, type DraftFile } from '#features/templates/rules.ts'
import { templateTitle } from '#features/templates/template-words.ts'
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
	/** New files of the cards, by card; null for a card without one. */
	cardFiles?: readonly (HeaderFile | null)[]
	/** Id of the person who creates it, for the account's activity. */
	by?: number
}

/** The files of the headers of a form: new ones, or those of the template that is being duplicated. */
interface FormFiles {
	header: HeaderFile | null
	cards: (HeaderFile | null)[]
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
	const files = await filesOf(context, accountId, creation)
	checkForm(creation.form, files)
	const bytes = [files.header, ...files.cards].reduce((sum, file) => sum + (file?.content.length ?? 0), 0)
	// Checks the room before Meta creates the template, which could not be sent without its files.
	if (bytes > 0) await context.storage.requireRoom(accountId, bytes)
	const sender = await requireSender(db, context.vault, accountId)
	if (bytes > 0 && !sender.appId) throw problem('app_id_missing')
	const { requestId } = creation.form
	const submit = () => submitOnce(context, accountId, { form: creation.form, files, sender, by: creation.by })
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
	const wanted = metaBody(form, { header: 'not compared', cards: form.cards.map(() => 'not compared') })
	if (!created || (created.language === wanted.language && isSame(created, wanted))) return id
	throw problem('template_form_used', { name: created.name })
}

/** Returns the files of a form's headers. A header of text has none. */
async function filesOf(
	{ db, storage }: CreationContext,
	accountId: AccountId,
	{ form, file, cardFiles = [] }: Creation,
): Promise<FormFiles> {
	const isPreset = form.category === 'AUTHENTICATION'
	const other = form.header_from && !isPreset ? await findTemplate(db, accountId, form.header_from) : undefined
	const reused = (key: string | null | undefined) => loadHeaderFile(storage, key ?? null)
	const cards: (HeaderFile | null)[] = []
	for (const [index, { file_of_card = index + 1 }] of (form.kind === 'CAROUSEL' ? form.cards : []).entries())
		cards.push(cardFiles[index] ?? (await reused(other?.cardFiles?.[file_of_card - 1])))
	const hasHeader = isMediaHeader(form.header_type) && !isPreset
	return { header: hasHeader ? (file ?? (await reused(other?.headerFile))) : null, cards }
}

function factsOf(file: HeaderFile | null | undefined): DraftFile | null {
	return file ? { size: file.content.length, type: file.type } : null
}

function checkForm(form: CreateTemplateBody, files: FormFiles): void {
	const cards = form.cards.map((card, index) => ({ ...card, file: factsOf(files.cards[index]) }))
	const problems = templateProblems({ ...form, cards, headerFile: factsOf(files.header), header_from: undefined })
	const [first] = problems
	if (!first) return
	// The first of several messages for one field is kept.
	const fields = Object.fromEntries(problems.toReversed().map(({ field, message }) => [field, message]))
	throw problem('template_invalid', { reason: first.message, fields })
}

interface Submission {
	form: CreateTemplateBody
	files: FormFiles
	sender: Sender
	by: number | undefined
}

async function submitOnce(context: CreationContext, accountId: AccountId, submission: Submission): Promise<string> {
	const { form, files, sender, by } = submission
	const header = files.header ? await upload(context, sender, files.header) : undefined
	const cards: string[] = []
	for (const file of files.cards) if (file) cards.push(await upload(context, sender, file))
	const body = metaBody(await withLinks(context, accountId, form), { header, cards })
	const created = await submitAndConfirm(context, accountId, { body, sender })
	const headerFile = await keepFile(context, accountId, files.header)
	const cardFiles: (string | null)[] = []
	for (const file of files.cards) cardFiles.push(await keepFile(context, accountId, file))
	const id = await transaction(context.db, async (sql) => {
		await queries.deleteGone(sql, accountId, body)
		await upsertTemplates(sql, accountId, [created])
		const { name, language } = body
		const writtenId = await queries.updateCreated(sql, accountId, {
			name,
			language,
			headerFile,
			cardFiles: cardFiles.length > 0 ? cardFiles : null,
			requestId: form.requestId ?? null,
		})
		if (by) await recordWork(sql, accountId, { by, action: 'template-created', details: templateTitle(name) })
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
	const all = [...form.buttons, ...form.cards.flatMap(({ buttons }) => buttons)]
	const targets = all.filter(isCounted).map(({ url = '' }) => url)
	const template = { name: form.name.trim(), language: form.language.trim() }
	const made = await createCountedLinks(db, accountId, { ...template, links, targets })
	const linked = (button: TemplateButton) => (isCounted(button) ? { ...button, ...made.shift() } : button)
	const buttons = form.buttons.map(linked)
	return { ...form, buttons, cards: form.cards.map((card) => ({ ...card, buttons: card.buttons.map(linked) })) }
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
 * Stores a header's file. Returns null without one, and when storing fails: the template exists at Meta, and its file can
 * be fetched or uploaded later.
 */
async function keepFile(
	{ storage, log }: CreationContext,
	accountId: AccountId,
	file: HeaderFile | null,
): Promise<string | null> {
	if (!file) return null
	return storeHeaderFile(storage, accountId, file).catch((error: unknown) => {
		log.error({ error, accountId }, 'the file of a new template could not be stored')
		return null
	})
}
