import assert from 'node:assert/strict'
import type { AppContext } from '#app/server/context.ts'
import { expireHolds, holdReplyPrice, moveMoneyOfReplies } from '#features/chats/server/charges/charges.ts'
import { settleChatStatusUpdates } from '#features/chats/server/settlement/status-updates.ts'
import { sweepUnconfirmedChats } from '#features/chats/server/settlement/sweeps.ts'
import { chatCallbackData } from '#features/delivery/server/message/message-id.ts'
import { readStatusUpdates } from '#features/delivery/server/message/status-update.ts'
import { isProblem } from '#lib/app-error.ts'
import { transaction } from '#lib/server/db.ts'
import type { SweepContext } from '#lib/server/db/all-accounts.ts'
import { moveReplies, type ModelReply } from './model-replies.ts'
import { rises, type Model } from './model.ts'
import type { Step, Sweep } from './steps.ts'
import type { Place } from './worker.ts'

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

/** An Indian number: replies to it cost the home price. */
const CHAT = '919800000001'

/** Drives the replies of one account, and applies each step to the model. */
export class LaneReplies {
	readonly #context: AppContext
	readonly #place: Place
	readonly #model: Model

	constructor(context: AppContext, place: Place, model: Model) {
		this.#context = context
		this.#place = place
		this.#model = model
	}

	/** Writes a reply with its hold. The product must refuse it exactly when the wallet is short. */
	async send(): Promise<void> {
		if (!this.#model.isInUse) return
		const { accountId } = this.#place
		const pricePaise = this.#model.prices.servicePaise
		const isPaid = pricePaise <= this.#model.available
		const id = await transaction(this.#context.db, async (sql) => {
			const [row] = await sql<{ id: number }[]>`
				insert into chat_messages (account_id, chat, direction, kind, status, at)
				values (${accountId}, ${CHAT}, 'out', 'text', 'pending', now()) returning id
			`
			assert.ok(row)
			await holdReplyPrice(sql, accountId, { id: row.id, chat: CHAT })
			return row.id
		}).catch((error: unknown) => {
			if (isProblem(error, 'balance_short_for_message')) return null
			throw error
		})
		assert.equal(id !== null, isPaid, 'a reply is written exactly when its wallet can pay it')
		if (id === null || pricePaise === 0) return
		this.#model.available -= pricePaise
		this.#model.replies.push({
			id,
			pricePaise,
			status: 'pending',
			code: null,
			type: null,
			money: 'held',
			isErased: false,
		})
	}

	/** Settles one batch of status updates of replies as a webhook does. */
	async receive({ updates, isRepeated }: StepOf<'reply updates'>): Promise<void> {
		const { db } = this.#context
		const { accountId } = this.#place
		const words = updates.flatMap(({ reply: back, ...word }) => {
			const reply = this.#model.replies.at(-1 - back)
			return reply ? [{ reply, ...word }] : []
		})
		const statuses = words.map(({ reply, status, type, code }) => ({
			id: `wamid.reply.${reply.id}`,
			status,
			timestamp: String(Math.floor(Date.now() / 1000)),
			biz_opaque_callback_data: chatCallbackData(reply.id),
			...(type && { pricing: { ...billableOf(type), pricing_model: 'PMP', type, category: 'service' } }),
			...(status === 'failed' && { errors: [{ code, title: 'Not delivered' }] }),
		}))
		for (let times = isRepeated ? 2 : 1; times > 0; times--) {
			const { isMoneyDue } = await transaction(db, (sql) =>
				settleChatStatusUpdates(sql, accountId, readStatusUpdates(statuses)),
			)
			if (isMoneyDue) await moveMoneyOfReplies(this.#context, accountId)
			for (const { reply, status, code, type } of words) hear(reply, { status, code, type })
			this.#move()
		}
	}

	/** Deletes the account's chats, as the erasure of a person does. Charges stay. */
	async erase(): Promise<void> {
		await this.#context.db`delete from chat_messages where account_id = ${this.#place.accountId}`
		for (const reply of this.#model.replies) reply.isErased = true
	}

	#move(): void {
		this.#model.available = moveReplies(this.#model.replies, this.#model.available)
	}

	/** Applies a sweep that has run over all accounts to the model. */
	swept({ kind }: Sweep): void {
		for (const reply of this.#model.replies) {
			if (kind === 'sweep unconfirmed' && reply.status === 'pending' && !reply.isErased)
				hear(reply, { status: 'failed', code: -1, type: null })
			if (kind === 'sweep expired' && reply.money === 'held') {
				reply.money = 'expired'
				this.#model.available += reply.pricePaise
			}
		}
		this.#move()
	}
}

/** Runs the part of a sweep that concerns replies, over all accounts. */
export async function sweepReplies(deps: SweepContext & { unknownAfter: number }, { kind }: Sweep): Promise<void> {
	if (kind === 'sweep unconfirmed') {
		await deps.db`update chat_messages set at = (at at time zone 'UTC' - interval '1 hour') at time zone 'UTC'`
		while ((await sweepUnconfirmedChats(deps)) > 0);
	} else if (kind === 'sweep expired') {
		await deps.db`update reply_charges set held_at = (held_at at time zone 'UTC' - interval '31 days') at time zone 'UTC'`
		await expireHolds(deps)
	}
}

/** Returns `billable` of a known type. An unknown type with `billable: false` would be free. */
const billableOf = (type: string) => (type === 'barter' ? {} : { billable: type === 'regular' })

type Heard = Pick<StepOf<'reply updates'>['updates'][number], 'status' | 'type' | 'code'>

/** Applies a status update to a reply of the model. The first pricing of a status other than failed counts. */
function hear(reply: ModelReply, { status, code, type }: Heard): void {
	if (rises(reply, status, code)) Object.assign(reply, { status, code: status === 'failed' ? code : null })
	if (status !== 'failed' && type !== 'barter') reply.type ??= type
}
