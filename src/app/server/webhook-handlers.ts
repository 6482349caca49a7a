import { moveMoneyOfReplies } from '#features/chats/server/charges/charges.ts'
import { findChatOf } from '#features/chats/server/inbound/known-chats.ts'
import { writerKey } from '#features/chats/server/inbound/message-reader.ts'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { receiveEchoes } from '#features/chats/server/phone-app/receive-echoes.ts'
import { receiveAppContacts, receiveHistory } from '#features/chats/server/phone-app/receive-sync.ts'
import { checkArrivals } from '#features/chats/server/replies/replies.ts'
import { settleChatStatusUpdates } from '#features/chats/server/settlement/status-updates.ts'
import { applyOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { pauseSenderWithin } from '#features/delivery/server/sending/auto-pause.ts'
import { faultsOf, pauseForFaults } from '#features/delivery/server/sending/status-update-faults.ts'
import { resumeSendingWithin } from '#features/delivery/server/service.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { notifyOnce } from '#features/notifications/server/service.ts'
import { applyTemplateChange } from '#features/templates/server/sync/changes.ts'
import { isRecord } from '#features/whatsapp/server/graph-client.ts'
import { isStoppedFor, requestLimitReading } from '#features/whatsapp/server/service.ts'
import { applyNumberChange, readAccountUpdate, readAlert } from '#features/whatsapp/server/webhooks/account-changes.ts'
import type { WebhookHandler, WebhookHandlers } from '#features/whatsapp/server/webhooks/ingest.ts'
import type { AppContext } from './context.ts'

const TEMPLATE_FIELDS = [
	'message_template_status_update',
	'message_template_quality_update',
	'message_template_components_update',
	'template_category_update',
	'template_correct_category_detection',
]
const NUMBER_FIELDS = ['phone_number_quality_update', 'phone_number_name_update']

/** Returns the handlers of each kind of inbound webhook. */
export function composeHandlers({
	db,
	restoreGenerations,
	notify,
	onTemplateMoved,
	watch,
	log,
	env,
}: Pick<
	AppContext,
	'env' | 'log' | 'db' | 'restoreGenerations' | 'notify' | 'onTemplateMoved' | 'watch'
>): WebhookHandlers {
	return {
		messages: receiveMessages,
		...phoneAppHandlers(env),
		async statuses(sql, accountId, statuses) {
			const statusUpdates = readStatusUpdates(statuses, restoreGenerations, watch.now())
			const chats = await settleChatStatusUpdates(sql, accountId, statusUpdates)
			await settleStatusUpdates(sql, accountId, {
				statusUpdates: chats.others,
				notify,
				usage: chats.usage,
				onArrived: checkArrivals,
				async onOptedOut(ofCampaigns) {
					const numbers = [...chats.optedOut, ...ofCampaigns]
					if (numbers.length > 0) await optOutNumbers(sql, accountId, { numbers, because: 'network' })
				},
			})
			const faults = faultsOf(statusUpdates)
			if (faults.length === 0 && !chats.isMoneyDue) return undefined
			// Runs both in separate transactions, because settling has locked campaigns, which come after the sender and
			// before the money of replies.
			return async () => {
				if (chats.isMoneyDue) await moveMoneyOfReplies({ db, log }, accountId)
				if (faults.length > 0) await pauseForFaults({ db, notify }, accountId, faults)
			}
		},
		async user_preferences(sql, accountId, values) {
			const wishes = values.flatMap(readPreferences)
			const written = wishes.map(({ number, at }) => ({ chat: number, at }))
			const chatOf = await findChatOf(sql, accountId, { written })
			const words = wishes.map((wish) => ({ ...wish, number: chatOf({ chat: wish.number, at: wish.at }) }))
			await applyOptOuts(sql, accountId, words)
		},
		...accountHandlers(notify),
		...templateHandlers({ notify, onTemplateMoved }),
		...Object.fromEntries(NUMBER_FIELDS.map((field) => [field, numberChange])),
	}
}

/** Returns the handlers of messages, earlier chats and contacts of the phone app. */
const phoneAppHandlers = ({ ACCOUNT_CONTACTS: maxContacts }: Pick<AppContext['env'], 'ACCOUNT_CONTACTS'>) =>
	({
		smb_message_echoes: receiveEchoes,
		history: receiveHistory,
		smb_app_state_sync: (sql, accountId, values) => receiveAppContacts(sql, accountId, { values, maxContacts }),
	}) satisfies WebhookHandlers

/** Returns the handlers of changes of templates. */
function templateHandlers({
	notify,
	onTemplateMoved,
}: Pick<AppContext, 'notify' | 'onTemplateMoved'>): WebhookHandlers {
	const handlerOf =
		(field: string): WebhookHandler =>
		async (sql, accountId, values) => {
			for (const value of values.filter(isRecord)) {
				const notifications = await applyTemplateChange(sql, accountId, { field, value, onTemplateMoved })
				for (const notification of notifications) await notify(sql, accountId, notification)
			}
		}
	return Object.fromEntries(TEMPLATE_FIELDS.map((field) => [field, handlerOf(field)]))
}

/** Returns the handlers of changes of an account, after which its limits are read again. */
function accountHandlers(notify: AppContext['notify']): WebhookHandlers {
	return {
		async account_update(sql, accountId, values) {
			for (const value of values) {
				const change = readAccountUpdate(value)
				if (change && 'stop' in change) await pauseSenderWithin(sql, accountId, { reason: change.stop, notify })
				if (change && 'ended' in change && (await isStoppedFor(sql, accountId, change.ended)))
					await resumeSendingWithin(sql, accountId)
				if (change && 'warning' in change)
					await notifyOnce(sql, accountId, notificationOf.senderWarning({ text: change.warning }))
			}
			await requestLimitReading(sql, accountId)
		},
		business_capability_update: (sql, accountId) => requestLimitReading(sql, accountId),
		async account_alerts(sql, accountId, values) {
			for (const text of values.map(readAlert))
				if (text !== null) await notifyOnce(sql, accountId, notificationOf.senderWarning({ text }))
			await requestLimitReading(sql, accountId)
		},
	}
}

const numberChange: WebhookHandler = async (sql, accountId, values) => {
	for (const value of values) {
		const warning = await applyNumberChange(sql, accountId, value)
		if (warning) await notifyOnce(sql, accountId, notificationOf.senderWarning({ text: warning }))
	}
	await requestLimitReading(sql, accountId)
}

/** Reads the preferences that people set for a business in WhatsApp. */
function readPreferences(value: unknown) {
	const preferences =
		isRecord(value) && Array.isArray(value.user_preferences) ? (value.user_preferences as unknown[]) : []
	return preferences
		.filter(isRecord)
		.flatMap(({ wa_id: number, user_id: userId, category, value: wish, timestamp }) => {
			const key = writerKey(number, userId)
			if (category !== 'marketing_messages' || key === null) return []
			if (wish !== 'stop' && wish !== 'resume') return []
			const ms = Number(timestamp) * 1000
			const at = new Date(ms > 0 ? Math.min(ms, Date.now()) : Date.now())
			return [{ number: key, optedOut: wish === 'stop', because: 'preference' as const, at }]
		})
}
