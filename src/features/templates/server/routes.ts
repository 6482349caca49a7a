import { extname } from 'node:path'
import { getBusinessProfile } from '#features/whatsapp/server/service.ts'
import { notFound } from '#lib/server/errors.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { mimeTypeOf } from '#lib/server/mime-types.ts'
import { pagesFor } from '#lib/server/paging.ts'
import type { Storage } from '#lib/server/storage.ts'
import { templates, type TemplateRow } from '../contract.ts'
import * as queries from './queries.ts'
import { getTemplate, syncTemplates, type SyncContext, type Template } from './service.ts'

/** Shown where Meta has not returned the account's name. */
const NAMELESS = 'Your Business'

export function templateRoutes(http: Http, context: SyncContext & { storage: Storage }): void {
	const { db, storage } = context

	mount(http, templates.list, async ({ query, session }) => {
		const [rows, total, syncedAt] = await Promise.all([
			queries.listTemplates(db, session.ownerId, query),
			queries.countTemplates(db, session.ownerId, query.search),
			queries.findLastSync(db, session.ownerId),
		])
		return {
			templates: rows.map(present),
			page: query.page,
			pages: pagesFor(total, query.limit),
			lastSyncedAt: syncedAt?.toISOString() ?? null,
		}
	})

	mount(http, templates.headerFile, async ({ params, session }) => {
		const { headerFile } = await getTemplate(db, session.ownerId, params.id)
		if (!headerFile) throw notFound('Header file')
		const extension = extname(headerFile)
		const type = mimeTypeOf(headerFile)
		return { filename: `header${extension}`, type, content: await storage.get(headerFile) }
	})

	mount(http, templates.profile, async ({ session }) => {
		const profile = await getBusinessProfile(db, session.ownerId)
		return {
			success: true,
			verifiedName: profile?.verifiedName ?? NAMELESS,
			businessName: profile?.businessName ?? profile?.verifiedName ?? NAMELESS,
			profilePictureUrl: profile?.profilePictureUrl ?? null,
		}
	})

	mount(http, templates.sync, async ({ session }) => {
		const count = await syncTemplates(context, session.ownerId)
		return { message: 'Templates synced successfully', count }
	})
}

function present({ id, templateId, headerFile, ...template }: Template): TemplateRow {
	return {
		...template,
		_id: String(id),
		template_id: templateId,
		mediaUrl: headerFile ? templates.headerFile.path.replace('{id}', String(id)) : null,
	}
}
