import { listNotesOf } from '#features/customers/server/service.ts'
import { inbox } from '#features/inbox/contract.ts'
import { notFound } from '#lib/problems.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { chats } from '../contract.ts'
import { findTypedChat } from './chat-key.ts'
import { findMessage, listLastSent, listMessages } from './history-queries.ts'
import { fileOfCard, readMessageFile } from './media/message-file.ts'
import { findAppSettings, findIsInApp } from './phone-app/app-settings-queries.ts'
import { saveAppSettings } from './phone-app/app-settings.ts'
import { presentChat } from './present.ts'
import * as queries from './queries.ts'
import { sendTemplate } from './sending/send-template.ts'
import { askForNumber, sendMessage, type SendContext } from './sending/send.ts'
import { markRead, presentChats, presentMessages } from './service.ts'
import { findSettings, listQuickReplies } from './settings-queries.ts'
import { saveSettings } from './settings-service.ts'
import { assignChat, setClosed } from './state/change-state.ts'
import { countViews } from './view-queries.ts'

export function chatRoutes(http: Http, context: SendContext): void {
	const { db, storage } = context

	mount(http, chats.contacts, async ({ query, session }) => {
		const { search, limit, view, tag, campaign } = query
		const { accountId, userId } = session
		const before = query.before ? { at: query.before, key: query.beforeNumber ?? '' } : null
		const list = (shown: typeof view) =>
			queries.listChats(db, accountId, { search, limit, before, filter: { view: shown, tag, campaign, userId } })
		const [viewed, unreadChats, counts] = await Promise.all([
			list(view),
			queries.countUnreadChats(db, accountId),
			countViews(db, accountId, userId),
		])
		// A person alone has no views to choose from, and may have opened an address from before.
		const rows = counts || view === 'all' ? viewed : await list('all')
		const contacts = await presentChats(db, session, rows.slice(0, limit))
		return { contacts, hasMore: rows.length > limit, unreadChats, counts }
	})

	mount(http, chats.messages, async ({ params, query, session }) => {
		const accountId = session.accountId
		const { key, chat } = await findTypedChat(db, accountId, params.number)
		const wanted = { chat: key, limit: query.limit, before: query.before ?? null }
		const [rows, [last], contact, notes] = await Promise.all([
			listMessages(db, accountId, wanted),
			listLastSent(db, accountId, { keys: [key], viewer: session.userId }),
			chat ?? queries.getNewChat(db, accountId, key),
			wanted.before === null ? listNotesOf(db, accountId, key) : [],
		])
		return {
			messages: await presentMessages(db, accountId, { chat: key, rows: rows.slice(0, query.limit).toReversed() }),
			hasMore: rows.length > query.limit,
			windowExpiresAt: contact.windowExpiresAt,
			contact: presentChat(contact, last ?? null),
			notes,
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

	mount(http, chats.media, async ({ params, query, session, request }) => {
		const message = await findMessage(db, session.accountId, params.id)
		if (!message) throw notFound('File')
		const file = query.card === undefined ? message : fileOfCard(message, query.card)
		return readMessageFile(storage, file, request.headers.range)
	})

	settingRoutes(http, context)
	stateRoutes(http, db)
}

const idOf = (id: string | null) => (id === null ? null : Number(id))

/** Mounts the calls that change who has a chat, and whether it is closed. */
function stateRoutes(http: Http, db: Db): void {
	mount(http, inbox.assign, async ({ body: { number, to, from, note }, session: { accountId, userId } }) => {
		await assignChat(db, accountId, { number, to: idOf(to), from: idOf(from), note, userId })
		return { message: to === null ? 'The chat is unassigned' : 'The chat was assigned' }
	})

	mount(http, inbox.setClosed, async ({ body, session }) => {
		await setClosed(db, session.accountId, body)
		return { message: body.isClosed ? 'The chat is closed' : 'The chat is open again' }
	})
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
