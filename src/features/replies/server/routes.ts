import { mount, type Http } from '#lib/server/http/http.ts'
import { replies } from '../contract.ts'
import * as automatic from './automatic/automatic.ts'
import * as service from './service.ts'

export function replyRoutes(http: Http, context: service.ReplyContext): void {
	const { db } = context

	mount(http, replies.saved, async ({ session }) => ({
		replies: await service.listSavedReplies(db, session.accountId),
	}))

	mount(http, replies.addSaved, async ({ body, files, session }) => ({
		message: 'Saved reply added',
		reply: await service.addSavedReply(context, session.accountId, { ...body, media: files.file }),
	}))

	mount(http, replies.changeSaved, async ({ params, body, files, session }) => ({
		message: 'Saved reply updated',
		reply: await service.changeSavedReply(context, session.accountId, { ...params, ...body, media: files.file }),
	}))

	mount(http, replies.removeSaved, async ({ params, session }) => {
		await service.removeSavedReply(db, session.accountId, params.id)
		return { message: 'Saved reply deleted' }
	})

	mount(http, replies.savedFile, ({ params, session }) => service.readSavedFile(context, session.accountId, params.id))

	mount(http, replies.automatic, ({ session }) => automatic.listAutomaticReplies(db, session.accountId))

	mount(http, replies.saveAutomatic, async ({ body, session }) => {
		await automatic.saveAutomaticSettings(db, session.accountId, body)
		return { message: 'Settings saved' }
	})

	mount(http, replies.addAutomatic, async ({ body, session }) => {
		await automatic.addAutomaticReply(db, session.accountId, body)
		return { message: 'Automatic reply added' }
	})

	mount(http, replies.changeAutomatic, async ({ params, body, session }) => {
		await automatic.changeAutomaticReply(db, session.accountId, { ...params, ...body })
		return { message: 'Automatic reply updated' }
	})

	mount(http, replies.removeAutomatic, async ({ params, session }) => {
		await automatic.removeAutomaticReply(db, session.accountId, params.id)
		return { message: 'Automatic reply deleted' }
	})
}
