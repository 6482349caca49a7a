import { notFound } from '#lib/problems.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { chats } from '../contract.ts'
import { findTypedChat } from './chat-key.ts'
import { findMessage, listLastSent, listMessages } from './history-queries.ts'
import { readMessageFile } from './media/message-file.ts'
import { findAppSettings, findIsInApp } from './phone-app/app-settings-queries.ts'
import { saveAppSettings } from './phone-app/app-settings.ts'
import { presentChat } from './present.ts'
import * as queries from './queries.ts'
import { sendTemplate } from './sending/send-template.ts'
import { askForNumber, sendMessage, type SendContext } from './sending/send.ts'
import { markRead, presentChats, presentMessages } from './service.ts'
import { findSettings, listQuickReplies } from './settings-queries.ts'
import { saveSettings } from './settings-service.ts'

export function chatRoutes(http: Http, context: SendContext): void {
	const { db, storage } = context

	mount(http, chats.contacts, async ({ query, session }) => {
		const { search, limit } = query
		const before = query.before ? { at: query.before, key: query.beforeNumber ?? '' } : null
		const [rows, unreadChats] = await Promise.all([
			queries.listChats(db, session.accountId, { search, limit, before }),
			queries.countUnreadChats(db, session.accountId),
		])
		const contacts = await presentChats(db, session.accountId, rows.slice(0, limit))
		return { contacts, hasMore: rows.length > limit, unreadChats }
	})

	mount(http, chats.messages, async ({ params, query, session }) => {
		const accountId = session.accountId
		const { key, chat } = await findTypedChat(db, accountId, params.number)
		const wanted = { chat: key, limit: query.limit, before: query.before ?? null }
		const [rows, [last], contact] = await Promise.all([
			listMessages(db, accountId, wanted),
			listLastSent(db, accountId, [key]),
			chat ?? queries.getNewChat(db, accountId, key),
		])
		return {
			messages: await presentMessages(db, accountId, { chat: key, rows: rows.slice(0, query.limit).toReversed() }),
			hasMore: rows.length > query.limit,
			windowExpiresAt: contact.windowExpiresAt,
			contact: presentChat(contact, last ?? null),
		}
	})

	mount(http, chats.markRead, async ({ body, session }) => {
		await markRead(context, session.accountId, body.number)
		return { success: true, message: 'Messages marked as read' }
	})

	mount(http, chats.send, async ({ body, files, session }) => {
		const row = await sendMessage(context, session.accountId, { ...body, media: files.media, authorId: session.userId })
		return answerSent(await presentMessages(db, session.accountId, { chat: row.chat, rows: [row] }))
	})

	mount(http, chats.sendTemplate, async ({ body, session }) => {
		const row = await sendTemplate(context, session.accountId, { ...body, authorId: session.userId })
		return answerSent(await presentMessages(db, session.accountId, { chat: row.chat, rows: [row] }))
	})

	mount(http, chats.askNumber, async ({ body, session }) => {
		const row = await askForNumber(context, session.accountId, { ...body, authorId: session.userId })
		return answerSent(await presentMessages(db, session.accountId, { chat: row.chat, rows: [row] }))
	})

	mount(http, chats.media, async ({ params, session, request }) => {
		const message = await findMessage(db, session.accountId, params.id)
		if (!message) throw notFound('File')
		return readMessageFile(storage, message, request.headers.range)
	})

	settingRoutes(http, context)
}

/** Mounts the calls about the settings of an account's chats. */
function settingRoutes(http: Http, context: SendContext): void {
	const { db } = context

	mount(http, chats.settings, ({ session }) => findSettings(db, session.accountId))

	mount(http, chats.saveSettings, async ({ body, session }) => {
		const settings = await saveSettings(db, session.accountId, body)
		return { message: 'Settings saved successfully', settings }
	})

	mount(http, chats.phoneApp, async ({ session }) => {
		const [settings, isInApp] = await Promise.all([
			findAppSettings(db, session.accountId),
			findIsInApp(db, session.accountId),
		])
		return { ...settings, isInApp }
	})

	mount(http, chats.savePhoneApp, async ({ body, session }) => {
		const warnings = await saveAppSettings(context, session.accountId, body)
		return { message: 'Settings saved successfully', settings: body, warnings }
	})

	mount(http, chats.quickReplies, async ({ session }) => ({
		quickReplies: await listQuickReplies(db, session.accountId),
	}))
}

/**
 * Returns the answer to a send. An immediate refusal of the network is the message of the answer and the error of the chat
 * message.
 */
function answerSent([newMessage]: Awaited<ReturnType<typeof presentMessages>>) {
	if (!newMessage) throw new Error('the sent message is gone')
	const message =
		newMessage.status === 'failed' ? (newMessage.error ?? 'Failed to send message') : 'Message sent successfully'
	return { message, newMessage }
}
