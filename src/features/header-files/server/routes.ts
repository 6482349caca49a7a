import { plural } from '#lib/numbers.ts'
import { transaction } from '#lib/server/db.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { headerFiles } from '../contract.ts'
import { problem } from '../problems.ts'
import * as service from './service.ts'
import type { FileContext } from './service.ts'
import { deleteRefused, deleteSet, listNames, type FileSet } from './sets/set-queries.ts'

export function headerFileRoutes(http: Http, context: FileContext): void {
	const { db } = context

	mount(http, headerFiles.create, async ({ body, session }) => {
		const set = await service.createSet(db, session.accountId, body.kind)
		return { message: 'You can add the files now', set: presentSet(set) }
	})

	mount(http, headerFiles.get, async ({ params, session }) => {
		const set = await service.getSet(db, session.accountId, params.id)
		return { set: presentSet(set), names: await listNames(db, session.accountId, set.id) }
	})

	mount(http, headerFiles.add, async ({ params, files, session }) => {
		const set = await service.getSet(db, session.accountId, params.id)
		const now = await service.addUpload(context, session.accountId, { set, file: files['file'] })
		return { message: 'File added', set: presentSet(now) }
	})

	mount(http, headerFiles.addZip, async ({ params, files, session, signal }) => {
		const { accountId } = session
		const set = await service.getSet(db, accountId, params.id)
		const sum = await service.addZip(context, accountId, { set, file: files['file'], signal })
		const now = presentSet(await service.getSet(db, accountId, params.id))
		return { message: `${plural(sum.added, 'file')} added`, set: now, ...sum }
	})

	mount(http, headerFiles.addAddress, async ({ params, body, session, signal }) => {
		const set = await service.getSet(db, session.accountId, params.id)
		const given = { set, address: body.address, signal }
		const now = await service.addAddress(context, session.accountId, given)
		return { message: 'File added', set: presentSet(now) }
	})

	mount(http, headerFiles.forgetRefused, async ({ params, session }) => {
		const set = await service.getSet(db, session.accountId, params.id)
		await deleteRefused(db, session.accountId, set.id)
		return { message: 'The addresses can be fetched again' }
	})

	mount(http, headerFiles.show, async ({ params, query, session }) => {
		const set = await service.getSet(db, session.accountId, params.id)
		const { name, content } = await service.showFile(context, session.accountId, { set, id: query.file ?? null })
		return { filename: name, type: typeByContent(content), content }
	})

	mount(http, headerFiles.remove, async ({ params, session }) => {
		const set = await service.getSet(db, session.accountId, params.id)
		const isDeleted = await transaction(db, (sql) => deleteSet(sql, session.accountId, set.id))
		if (!isDeleted) throw problem('person_files_in_use')
		return { message: 'Files deleted' }
	})
}

function presentSet({ id, ...set }: FileSet) {
	return { _id: id, ...set }
}
