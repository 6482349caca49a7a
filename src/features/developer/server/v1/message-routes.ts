import { presentFailure } from '#features/delivery/server/message/failure-words.ts'
import { publicId, type MessageId } from '#features/delivery/server/message/message-id.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'
import { notFound } from '#lib/problems.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http, type KeyHolder } from '#lib/server/http/http.ts'
import { findMessage, listMessages, type SentMessage } from '../campaigns/message-queries.ts'
import type { TemplateRef } from '../orders/check-order.ts'
import { readIdempotentRequest } from '../orders/idempotency.ts'
import { OrderQueue } from '../orders/order-queue.ts'
import type { Order } from '../orders/write-orders.ts'
import { pageOf } from '../paging.ts'
import { presentAmount } from '../present.ts'
import { findTest, listTests, placeTest } from '../test-keys/test-messages.ts'

export function messageRoutes(http: Http, { db }: { db: Db }): void {
	const queue = new OrderQueue(db)
	const place = ({ accountId, isTest }: KeyHolder, ref: TemplateRef, order: Order) =>
		isTest ? placeTest(db, accountId, { ref, order }) : queue.place(accountId, ref, order)

	mount(http, v1Messages.sendMessage, async ({ body, session: key, request }) => {
		const order = { messages: [body], isList: false, idempotency: readIdempotentRequest(request, body), key }
		const { campaignId, before, pricePaise } = await place(key, body.template, order)
		const id = publicId({ campaignId, seq: before + 1 })
		return { id, status: 'pending' as const, campaignId, price: presentAmount(pricePaise) }
	})

	mount(http, v1Messages.sendBatch, async ({ body, session: key, request }) => {
		const { messages, template } = body
		const order = { messages, isList: true, idempotency: readIdempotentRequest(request, body), key }
		const { campaignId, before, pricePaise, prices } = await place(key, template, order)
		const own = prices?.some((paise) => paise !== pricePaise) ? prices : null
		return {
			campaignId,
			price: presentAmount(pricePaise),
			total: presentAmount(own ? own.reduce((sum, paise) => sum + paise, 0) : messages.length * pricePaise),
			messages: messages.map(({ to }, index) => ({
				id: publicId({ campaignId, seq: before + index + 1 }),
				to,
				...(own && { price: presentAmount(own[index] ?? pricePaise) }),
			})),
		}
	})

	mount(http, v1Messages.messages, async ({ query, session: { accountId, isTest } }) => {
		const { cursor, limit, campaign: campaignId, reference, from, to } = query
		const number = query.number === undefined ? undefined : (readNumber(query.number) ?? '')
		const before = cursor === undefined ? null : readId(cursor)
		const list = isTest ? listTests : listMessages
		const rows: SentMessage[] = await list(db, accountId, {
			campaignId,
			number,
			reference,
			from,
			to,
			before,
			limit: limit + 1,
		})
		return pageOf(rows, { limit, cursorOf: publicId, present: presentMessage })
	})

	mount(http, v1Messages.message, async ({ params, session: { accountId, isTest } }) => {
		const id = readId(params.id)
		const message = isTest ? await findTest(db, accountId, id) : await findMessage(db, accountId, id)
		if (!message) throw notFound('Message')
		return presentMessage(message)
	})
}

/** Parses an id whose form the contract has checked. */
function readId(id: string): MessageId {
	const [campaignId = 0, seq = 0] = id.split('-').map(Number)
	return { campaignId, seq }
}

function presentMessage(message: SentMessage) {
	const { errorCode: code } = message
	return {
		...message,
		id: publicId(message),
		error: code === null ? null : presentFailure(code),
		statusAt: message.status === 'pending' ? null : message.statusAt,
	}
}
