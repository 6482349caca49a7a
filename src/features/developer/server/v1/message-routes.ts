import { createHash } from 'node:crypto'
import { presentFailure } from '#features/delivery/server/message/failure-words.ts'
import { publicId, type MessageId } from '#features/delivery/server/message/message-id.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import type { FileContext } from '#features/header-files/server/service.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'
import { notFound } from '#lib/problems.ts'
import { mount, type Http, type KeyHolder } from '#lib/server/http/http.ts'
import { findMessage, listMessages, type SentMessage } from '../campaigns/message-queries.ts'
import type { TemplateRef } from '../orders/check-order.ts'
import { findAnswer, readIdempotentRequest } from '../orders/idempotency.ts'
import { storeFile, uploadedFile, type StoredBefore } from '../orders/message-file.ts'
import { OrderQueue } from '../orders/order-queue.ts'
import type { Order, Placed } from '../orders/write-orders.ts'
import { pageOf } from '../paging.ts'
import { presentAmount } from '../present.ts'
import { findTest, listTests, placeTest } from '../test-keys/test-messages.ts'

export function messageRoutes(http: Http, context: FileContext): void {
	const { db } = context
	const queue = new OrderQueue(db)
	const place = ({ accountId, isTest }: KeyHolder, ref: TemplateRef, order: Order) =>
		isTest ? placeTest(db, accountId, { ref, order }) : queue.place(accountId, ref, order)

	singleRoutes(http, context, place)

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

type Place = (key: KeyHolder, ref: TemplateRef, order: Order) => Promise<Placed>

/** Mounts the calls that send one message, with a file of its own or without. */
function singleRoutes(http: Http, context: FileContext, place: Place): void {
	/** Places an order with a file. A repeated order gets its first answer, even when the file is gone from its address. */
	const placeWithFile = async (key: KeyHolder, order: Order, given: StoredBefore) => {
		const known = order.idempotency && (await findAnswer(context.db, key.accountId, order.idempotency))
		if (known) return known.answer as Placed
		return place(key, given.ref, { ...order, file: await storeFile(context, key.accountId, given) })
	}

	mount(http, v1Messages.sendMessage, async ({ body, session: key, request, signal }) => {
		const order = { messages: [body], isList: false, idempotency: readIdempotentRequest(request, body), key }
		if (!body.file) return presentPlaced(await place(key, body.template, order))
		// A program may send many requests at once: this bounds the files that are in memory.
		const end = await http.semaphores.uploads.begin(key.accountId, signal)
		try {
			const file = { address: body.file.url }
			return presentPlaced(await placeWithFile(key, order, { ref: body.template, file, signal }))
		} finally {
			end()
		}
	})

	mount(http, v1Messages.sendFile, async ({ body: { message }, files, session: key, request, signal }) => {
		const file = await uploadedFile(files['file'])
		const hashed = {
			message,
			file: { name: file.name, content: createHash('sha256').update(file.content).digest('hex') },
		}
		const order = { messages: [message], isList: false, idempotency: readIdempotentRequest(request, hashed), key }
		return presentPlaced(await placeWithFile(key, order, { ref: message.template, file, signal }))
	})
}

function presentPlaced({ campaignId, before, pricePaise }: Placed) {
	const id = publicId({ campaignId, seq: before + 1 })
	return { id, status: 'pending' as const, campaignId, price: presentAmount(pricePaise) }
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
