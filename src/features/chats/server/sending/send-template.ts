import { toRecipients } from '#features/audiences/server/recipients/recipient-sources.ts'
import { refuseOtherPrice } from '#features/campaigns/server/creation/plan-order.ts'
import { getUsableTemplate, readVariables } from '#features/campaigns/server/creation/read-form.ts'
import { writeOrder } from '#features/campaigns/server/creation/write-order.ts'
import type { chats } from '#features/chats/contract.ts'
import { problem } from '#features/chats/problems.ts'
import { lineOf } from '#features/chats/rules.ts'
import type { MarketPrices } from '#features/pricing/rules.ts'
import { findPrices, priceFor } from '#features/pricing/server/service.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { findComponent, mediaPlacesOf, previewComponents, slotsOf, type Variables } from '#features/templates/values.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { isProblem } from '#lib/app-error.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { isUserId } from '#lib/phone/phone.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { liveChannel, subscribe, type AccountEvent } from '#lib/server/db/channels/channels.ts'
import { getNow } from '#lib/server/db/now.ts'
import { createSignal } from '#lib/server/signal.ts'
import { readKey } from '../chat-key.ts'
import type { ChatMessageRow, MessageBody } from '../history-queries.ts'
import { isOptedOut } from '../queries.ts'
import { linkToCampaign, type OutgoingMessage } from './outbound-queries.ts'
import {
	ANSWER_WAIT_MS,
	findRepeated,
	getMessage,
	getRepeated,
	getUsableSender,
	writeOutgoing,
	type SendContext,
	type Written,
} from './send.ts'

type TypedTemplate = PartOut<typeof chats.sendTemplate.body> & Written

/**
 * Sends an approved template, also while the service window is closed. The message is a campaign of its own at the price of its
 * category; the workers send, settle and, after a failure, refund it like any campaign.
 */
export async function sendTemplate(
	context: SendContext,
	accountId: AccountId,
	typed: TypedTemplate,
): Promise<ChatMessageRow> {
	const { db } = context
	const known = await findRepeated(db, accountId, typed)
	if (known) return known
	const template = await getUsableTemplate(db, accountId, typed.templateId)
	const variables = readPlainVariables(template, typed.variables)
	await getUsableSender(context, accountId)
	const chat = await readKey(db, accountId, typed.number)
	await checkRecipient(context, accountId, { chat, template })
	const prices = priceFor(await findPrices(db, accountId, template), chat)
	refuseOtherPrice(typed, prices.pricePaise)
	const order = { chat, template, variables, ...prices }
	const row = await transaction(db, (sql) =>
		writeTemplate(sql, accountId, { order, requestId: typed.requestId ?? null, authorId: typed.authorId }),
	)
	return row ? waitUntilSettled(context, accountId, row) : getRepeated(db, accountId, typed)
}

/**
 * Inserts the chat message and orders its campaign. Returns undefined when a message with this request id exists, and
 * throws a 402 when the wallet is short.
 */
async function writeTemplate(
	sql: Sql,
	accountId: AccountId,
	{ order, requestId, authorId }: { order: ChatOrder; requestId: string | null; authorId: number | undefined },
): Promise<OutgoingMessage | undefined> {
	const { chat, template, variables, pricePaise } = order
	const body = bodyOf(template, variables)
	const line = lineOf({ kind: 'template', text: body.text ?? '' })
	const at = await getNow(sql)
	const message = { chat, kind: 'template', body, line, requestId, isClaimed: true, authorId, at }
	const [row] = await writeOutgoing(sql, accountId, [message])
	if (!row) return undefined
	const campaignId = await orderForChat(sql, accountId, order).catch(async (error: unknown) => {
		if (!isProblem(error, 'balance_short_for_campaign')) throw error
		const { availablePaise } = await getWallet(sql, accountId)
		throw problem('balance_short_for_message', { pricePaise, availablePaise })
	})
	await linkToCampaign(sql, accountId, { id: row.id, campaignId })
	return row
}

/** A template that is sent from a chat. Its variables hold no merge tags. */
interface ChatOrder extends Omit<MarketPrices, 'abroadPrices'> {
	/** The key of the chat: the number of its customer, or a user id. */
	chat: string
	template: Template
	variables: Variables
}

/**
 * Orders a template for a chat in the caller's transaction, which has checked the sender. The order is a campaign of kind
 * `chat` that only the chat shows. Returns its id. Throws a 402 when the wallet is short.
 */
export async function orderForChat(
	sql: Sql,
	accountId: AccountId,
	{ chat, template, variables, pricePaise, passesOnFree = false }: ChatOrder,
): Promise<number> {
	const { id } = await writeOrder(sql, accountId, {
		template,
		variables,
		audienceType: 'file',
		groupId: null,
		opensAt: null,
		source: toRecipients([{ number: chat, name: null, values: [] }]),
		kind: 'chat',
		name: templateTitle(template.name),
		audienceName: 'Chat',
		pricePaise,
		passesOnFree,
		abroadPrices: null,
		requestId: null,
		// The opener uploads the files of headers.
		status: mediaPlacesOf(template.components).length === 0 ? 'processing' : 'pending',
	})
	return id
}

/** Milliseconds between polls, for an outcome whose notification was lost. */
const POLL_INTERVAL_MS = 1000

/** Returns the message after its settlement, or in its current state after ANSWER_WAIT_MS. */
async function waitUntilSettled(
	{ db, listener }: SendContext,
	accountId: AccountId,
	row: OutgoingMessage,
): Promise<ChatMessageRow> {
	const signal = createSignal()
	const onPayload = (changed: AccountEvent) => {
		if (changed.accountId === accountId && changed.event.id === row.chat) signal.wake()
	}
	// Polling finds the outcome when the listener has no connection; the message is ordered in any case.
	const unlisten = await subscribe(listener, liveChannel, { onPayload }).catch(() => () => {})
	const endMs = performance.now() + ANSWER_WAIT_MS
	try {
		for (;;) {
			const now = await getMessage(db, accountId, row.id)
			const leftMs = endMs - performance.now()
			if (now.status !== 'pending' || leftMs <= 0) return now
			await signal.wait(Math.min(leftMs, POLL_INTERVAL_MS))
		}
	} finally {
		unlisten()
	}
}

/**
 * Returns the template's variables with their values. Throws a 400 for a template with named variables, for a missing
 * or invalid value, and for merge tags, for which a chat has no values.
 */
function readPlainVariables(template: Template, given: Variables): Variables {
	if (template.parameterFormat !== 'POSITIONAL') throw problem('chat_template_named')
	const tagged = slotsOf(template.components).find(({ key }) => hasBraces(given[key] ?? ''))
	if (tagged) throw problem('chat_value_has_tag', { key: tagged.key })
	return readVariables(template, given, [])
}

function hasBraces(value: string): boolean {
	const opened = value.indexOf('{{')
	return opened >= 0 && value.includes('}}', opened)
}

async function checkRecipient(
	{ db }: SendContext,
	accountId: AccountId,
	{ chat, template }: { chat: string; template: Template },
): Promise<void> {
	if (template.category === 'AUTHENTICATION' && isUserId(chat)) throw problem('chat_number_hidden')
	if (template.category === 'MARKETING' && (await isOptedOut(db, accountId, chat))) throw problem('chat_opted_out')
}

/** Returns the template's components with their variables filled in. */
function bodyOf(template: Template, variables: Variables): MessageBody {
	const components = previewComponents(template.components, variables)
	return { text: findComponent(components, 'BODY')?.text ?? '', components }
}
