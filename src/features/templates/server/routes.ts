import { readFile } from 'node:fs/promises'
import { problem } from '#features/templates/problems.ts'
import { getBusinessProfile } from '#features/whatsapp/server/service.ts'
import { notFound } from '#lib/problems.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { nameInKey } from '#lib/server/files/file-name.ts'
import { mimeTypeOf } from '#lib/server/files/mime-types.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import { type Http, mount } from '#lib/server/http/http.ts'
import { templates } from '../contract.ts'
import { headerFileProblem } from '../rules.ts'
import { mediaHeaderOf, needsHeaderFile } from '../values.ts'
import { createTemplate, type CreationContext } from './creation/create.ts'
import { type RemovalContext, removeTemplate } from './creation/remove.ts'
import { type HeaderFile, readHeaderFile, storeHeaderFile } from './header-file.ts'
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
		const id = await createTemplate(context, session.accountId, { form: body, file })
		const template = await getTemplate(db, session.accountId, id)
		const message =
			template.category === body.category
				? 'Template submitted for approval'
				: `Template submitted for approval. WhatsApp has made it ${template.category} instead of ${body.category}.`
		return { message, template: presentTemplate(template) }
	})

	mount(http, templates.get, async ({ params, session }) =>
		presentTemplate(await getTemplate(db, session.accountId, params.id)),
	)

	mount(http, templates.remove, async ({ params, session }) => {
		await removeTemplate(context, session.accountId, params.name)
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
	mount(http, templates.headerFile, async ({ params, session }) => {
		const { headerFile } = await getTemplate(db, session.accountId, params.id)
		if (!headerFile) throw notFound('Header file')
		return { filename: nameInKey(headerFile), type: mimeTypeOf(headerFile), content: await storage.get(headerFile) }
	})

	mount(http, templates.uploadHeaderFile, async ({ params, files, session }) => {
		const accountId = session.accountId
		const template = await getTemplate(db, accountId, params.id)
		const kind = mediaHeaderOf(template)
		if (!kind) throw problem('header_without_file')
		const file = await readUpload(files['header_file'])
		if (!file) throw problem('header_file_missing', { kind: kind.toLowerCase() })
		const reason = headerFileProblem(kind, { size: file.content.length, type: file.type })
		if (reason !== false) throw problem('header_file_invalid', { reason })
		const headerFile = await storeHeaderFile(storage, accountId, file)
		await queries.updateHeaderFile(db, accountId, { id: template.id, headerFile })
		announceLive(db, accountId, { kind: 'templates' })
		return { message: 'Header file saved', template: presentTemplate({ ...template, headerFile }) }
	})
}

async function readUpload(file: UploadedFile | undefined): Promise<HeaderFile | null> {
	return file ? readHeaderFile(await readFile(file.path), file.filename) : null
}

function presentTemplate({ id, templateId, headerFile, goneAt, ...template }: Template) {
	return {
		...template,
		_id: id,
		template_id: templateId,
		mediaUrl: headerFile ? templates.headerFile.path.replace('{id}', String(id)) : null,
		isGone: goneAt !== null,
		needsHeaderFile: needsHeaderFile({ ...template, headerFile }),
	}
}
