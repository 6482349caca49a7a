import { readFile } from 'node:fs/promises'
import { recordWork } from '#features/auth/server/service.ts'
import { problem } from '#features/templates/problems.ts'
import { getBusinessProfile } from '#features/whatsapp/server/service.ts'
import { notFound } from '#lib/problems.ts'
import { transaction } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { nameInKey } from '#lib/server/files/file-name.ts'
import { mimeTypeOf } from '#lib/server/files/mime-types.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import { type Http, mount } from '#lib/server/http/http.ts'
import { cardFileField, templates } from '../contract.ts'
import type { MediaPlace } from '../kinds/parts.ts'
import { templateLibrary } from '../library-contract.ts'
import { cardFilesTooLarge } from '../limits.ts'
import { headerFileProblem } from '../rules.ts'
import { templateTitle } from '../template-words.ts'
import { cardsOf, mediaPlacesOf, needsHeaderFile } from '../values.ts'
import { createTemplate, type CreationContext } from './creation/create.ts'
import { type RemovalContext, removeTemplate } from './creation/remove.ts'
import { fileAt, type HeaderFile, readHeaderFile, storeHeaderFile, writeHeaderFile } from './header-file.ts'
import { searchLibrary } from './library.ts'
import * as queries from './queries.ts'
import type { Template } from './queries.ts'
import { getTemplate } from './service.ts'
import { findLastSync } from './sync/sync-queries.ts'
import { type SyncContext, syncTemplates } from './sync/sync.ts'

export function templateRoutes(http: Http, context: SyncContext & CreationContext & RemovalContext): void {
	const { db } = context
	headerFileRoutes(http, context)

	mount(http, templates.list, async ({ query, session }) => {
		const accountId = session.accountId
		const [{ rows, ...place }, languages, syncedAt] = await Promise.all([
			readPage(query, queries.listTemplates(db, accountId, query), queries.countTemplates(db, accountId, query)),
			queries.listLanguages(db, accountId),
			findLastSync(db, accountId),
		])
		return { templates: rows.map(presentTemplate), ...place, languages, lastSyncedAt: syncedAt ?? null }
	})

	mount(http, templates.create, async ({ body, files, session }) => {
		const file = await readUpload(files['header_file'])
		const cardFiles = body.cards.map((_, index) => files[cardFileField(index)])
		const form = { form: body, file, cardFiles: await readCardFiles(cardFiles), by: session.userId }
		const id = await createTemplate(context, session.accountId, form)
		const template = await getTemplate(db, session.accountId, id)
		return { message: creationMessage(template, body.category), template: presentTemplate(template) }
	})

	mount(http, templateLibrary.search, ({ query, session }) => searchLibrary(context, session.accountId, query))

	mount(http, templates.get, async ({ params, session }) =>
		presentTemplate(await getTemplate(db, session.accountId, params.id)),
	)

	mount(http, templates.remove, async ({ params, session }) => {
		await removeTemplate(context, session.accountId, { name: params.name, by: session.userId })
		return { message: 'Template deleted successfully' }
	})

	mount(http, templates.profile, async ({ session }) => ({
		success: true,
		...(await getBusinessProfile(db, session.accountId)),
	}))

	mount(http, templates.sync, async ({ session }) => {
		const count = await syncTemplates(context, session.accountId)
		return { message: 'Templates synced successfully', count }
	})
}

function headerFileRoutes(http: Http, { db, storage }: CreationContext): void {
	mount(http, templates.headerFile, async ({ params, query, session }) => {
		const template = await getTemplate(db, session.accountId, params.id)
		const key = fileAt(template, { card: cardAt(query.card) })
		if (!key) throw notFound('Header file')
		return { filename: nameInKey(key), type: mimeTypeOf(key), content: await storage.get(key) }
	})

	mount(http, templates.uploadHeaderFile, async ({ params, body, files, session }) => {
		const accountId = session.accountId
		const template = await getTemplate(db, accountId, params.id)
		const place = mediaPlaceOf(template, body.card)
		if (!place) throw problem('header_without_file')
		const { kind } = place
		const file = await readUpload(files['header_file'])
		if (!file) throw problem('header_file_missing', { kind: kind.toLowerCase() })
		const reason = headerFileProblem(kind, { size: file.content.length, type: file.type })
		if (reason !== false) throw problem('header_file_invalid', { reason })
		const key = await storeHeaderFile(storage, accountId, file)
		await transaction(db, async (sql) => {
			await writeHeaderFile(sql, accountId, { template, place, file: key })
			const details = templateTitle(template.name)
			await recordWork(sql, accountId, { by: session.userId, action: 'template-file-changed', details })
			announceLive(sql, accountId, { kind: 'templates' })
		})
		const changed = await getTemplate(db, accountId, params.id)
		return { message: 'Header file saved', template: presentTemplate(changed) }
	})
}

/** Returns the media header of a template, or of its card at this position from 1; undefined when that has no file. */
function mediaPlaceOf({ components }: Template, card: number | undefined): MediaPlace | undefined {
	return mediaPlacesOf(components).find((place) => place.card === cardAt(card))
}

/** Returns the index of the card at a position from 1; null without a position. */
function cardAt(position: number | undefined): number | null {
	return position === undefined ? null : position - 1
}

function creationMessage({ category, status }: Template, wanted: string): string {
	if (status === 'APPROVED') return 'Template created. WhatsApp has approved it.'
	if (category === wanted) return 'Template submitted for approval'
	return `Template submitted for approval. WhatsApp has made it ${category} instead of ${wanted}.`
}

/** Reads the files of cards. Throws a 413 before reading any when they are too large together. */
async function readCardFiles(files: readonly (UploadedFile | undefined)[]): Promise<(HeaderFile | null)[]> {
	const bytes = files.reduce((sum, file) => sum + (file?.bytes ?? 0), 0)
	const reason = cardFilesTooLarge(bytes)
	if (reason) throw problem('card_files_too_large', { reason })
	const read: (HeaderFile | null)[] = []
	for (const file of files) read.push(await readUpload(file))
	return read
}

async function readUpload(file: UploadedFile | undefined): Promise<HeaderFile | null> {
	return file ? readHeaderFile(await readFile(file.path), file.filename) : null
}

function presentTemplate({ id, templateId, headerFile, cardFiles, goneAt, ...template }: Template) {
	const mediaUrl = templates.headerFile.path.replace('{id}', String(id))
	return {
		...template,
		_id: id,
		template_id: templateId,
		mediaUrl: headerFile ? mediaUrl : null,
		cardMediaUrls: cardsOf(template.components).map((_, card) =>
			cardFiles?.[card] ? `${mediaUrl}?card=${card + 1}` : null,
		),
		isGone: goneAt !== null,
		needsHeaderFile: needsHeaderFile({ ...template, headerFile, cardFiles }),
	}
}
