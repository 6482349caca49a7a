import assert from 'node:assert/strict'
import type { AppContext } from '#app/server/context.ts'
import { getUsableTemplate } from '#features/campaigns/server/creation/read-form.ts'
import { retryFailed } from '#features/campaigns/server/report/retry-service.ts'
import { getCampaign, createCampaign } from '#features/campaigns/server/service.ts'
import { orderForChat } from '#features/chats/server/sending/send-template.ts'
import { setManyOptedOut } from '#features/contacts/server/service.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { pauseRepriced } from '#features/delivery/server/lifecycle/repricing.ts'
import { startCampaign } from '#features/delivery/server/lifecycle/transition-queries.ts'
import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '#features/delivery/server/service.ts'
import { findPrices, priceFor, changePrices } from '#features/pricing/server/service.ts'
import { deleteUser, setStatus } from '#features/users/server/service.ts'
import { recharge } from '#features/wallet/server/service.ts'
import { AppError } from '#lib/app-error.ts'
import { transaction } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import type { TestAccount } from '#test/factories.ts'
import { campaignForm } from '#test/full-stack.ts'
import { Model, newCampaign, newMessage, type ModelCampaign, type ModelMessage } from './model.ts'
import { LanePayments } from './payments.ts'
import { LaneReplies } from './replies.ts'
import { settleUpdates } from './status-updates.ts'
import type { Step, Sweep } from './steps.ts'
import { LaneWorker, type Place } from './worker.ts'

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

/** One history: its account and the model of it. Each step is applied to both. */
export class Lane {
	readonly model = new Model()
	readonly place: Place
	readonly worker: LaneWorker
	readonly replies: LaneReplies
	readonly payments: LanePayments
	readonly #context: AppContext
	readonly #actor: { adminId: number; ip: string }

	constructor(context: AppContext, admin: TestAccount, place: Place) {
		this.#context = context
		this.#actor = { adminId: Number(admin.userId), ip: '192.0.2.1' }
		this.place = place
		this.worker = new LaneWorker(context, place, this.model)
		this.replies = new LaneReplies(context, place, this.model)
		this.payments = new LanePayments(context, place, this.model)
	}

	async run(step: Exclude<Step, Sweep>): Promise<void> {
		switch (step.kind) {
			case 'recharge':
				return this.#recharge(step.paise)
			case 'create':
				return this.#create(step)
			case 'order':
				return this.#orderFromChat(this.place.numbers[step.contact] ?? '')
			case 'send':
			case 'crash':
				return this.#withCampaign(step, (campaign) => this.worker.claim(campaign, step))
			case 'status updates':
				return this.#withCampaign(step, (campaign) =>
					settleUpdates(this.#context, this.place, { model: this.model, campaign, step }),
				)
			case 'open':
			case 'pause':
			case 'resume':
			case 'cancel':
			case 'retry failed':
				// A deactivated or deleted user cannot request any of these changes.
				return this.#withCampaign(step, async (campaign) => {
					if (this.model.isInUse) await this.#change(campaign, step.kind)
				})
			case 'prices':
				return this.#changePrices(step)
			case 'opt out':
			case 'opt in':
				return this.#setOptedOut(this.place.numbers[step.contact] ?? '', step.kind === 'opt out')
			case 'reply':
				return this.replies.send()
			case 'reply updates':
				return this.replies.receive(step)
			case 'erase chats':
				return this.replies.erase()
			case 'recover':
				return this.worker.recover()
			case 'payment':
				return this.payments.run(step)
			case 'deactivate':
			case 'activate':
			case 'delete':
			case 'move template':
				return this.#passOver(step.kind)
		}
	}

	/** Checks the effects on this account of a sweep that has just run over all accounts. */
	swept({ kind }: Sweep): void {
		if (kind === 'sweep payments') return this.payments.checkAll()
		if (kind === 'sweep owed') return this.model.settleOwed()
		this.replies.swept({ kind })
		for (const campaign of this.model.campaigns) {
			const pending = campaign.messages.filter(({ status }) => status === 'pending')
			const fail = (messages: ModelMessage[], { code }: { code: number }) =>
				this.model.settle(
					campaign,
					messages.map((message) => ({ message, status: 'failed', code })),
				)
			if (kind === 'sweep unconfirmed')
				fail(
					pending.filter(({ place }) => place === 'unknown'),
					OWN_ERRORS.unconfirmed,
				)
			if (kind === 'sweep ended' && ['cancelled', 'failed'].includes(campaign.status))
				fail(
					pending.filter(({ place }) => place === 'queue' || place === 'retry'),
					campaign.status === 'failed' ? OWN_ERRORS.notRun : OWN_ERRORS.cancelled,
				)
			if (kind === 'sweep expired')
				fail(
					campaign.messages.filter(({ status }) => status === 'sent'),
					OWN_ERRORS.expired,
				)
		}
	}

	async #withCampaign(
		{ campaign: back }: { campaign: number },
		work: (campaign: ModelCampaign) => Promise<void>,
	): Promise<void> {
		const campaign = this.model.campaigns.at(-1 - back)
		if (campaign) await work(campaign)
	}

	async #recharge(amountPaise: number): Promise<void> {
		if (this.model.isDeleted) return
		await recharge(this.#context, this.place.userId, { amountPaise, actor: this.#actor })
		this.model.payIn(amountPaise)
	}

	async #changePrices({ prices }: StepOf<'prices'>): Promise<void> {
		this.model.prices = prices
		if (!this.model.isDeleted) await changePrices(this.#context, this.place.userId, { ...prices, actor: this.#actor })
	}

	async #create({ isOpened }: StepOf<'create'>): Promise<void> {
		if (!this.model.isInUse) return
		const before = this.model.campaigns.length
		const form = campaignForm(this.place.templateId, { variables: {} })
		await this.#order({
			numbers: this.place.numbers,
			retryOf: null,
			isFromChat: false,
			create: () => createCampaign(this.#context, this.place.accountId, form),
		})
		const created = this.model.campaigns[before]
		if (created && isOpened) await this.#change(created, 'open')
	}

	async #orderFromChat(number: string): Promise<void> {
		if (!this.model.isInUse) return
		const { accountId, templateId } = this.place
		const template = await getUsableTemplate(this.#context.db, accountId, templateId)
		const prices = await findPrices(this.#context.db, accountId, template)
		const facts = { numbers: [number], retryOf: null, isFromChat: true }
		await this.#order({
			...facts,
			create: async () => {
				const order = { chat: number, template, variables: {}, ...priceFor(prices, number) }
				return transaction(this.#context.db, (sql) => orderForChat(sql, accountId, order))
			},
		})
	}

	async #retryFailed(campaign: ModelCampaign): Promise<void> {
		const { db } = this.#context
		const { accountId } = this.place
		const again = this.model.unreached(campaign, (code) => failureWords(code).isWorthRetrying)
		const stored = await getCampaign(db, accountId, String(campaign.id))
		await this.#order({
			numbers: again.map(({ number }) => number),
			retryOf: campaign,
			isFromChat: false,
			create: () => retryFailed(db, accountId, { campaign: stored, requestId: null }),
		})
	}

	/** Orders a campaign to the numbers that may get it. The product must refuse it exactly when the model does. */
	async #order({
		numbers,
		create,
		...facts
	}: Pick<ModelCampaign, 'retryOf' | 'isFromChat'> & {
		numbers: string[]
		create: () => Promise<number>
	}): Promise<void> {
		const { isMarketing, optedOut } = this.model
		const priced = numbers.map((number) => ({ number, paise: this.model.priceFor(number) }))
		const wanted = priced.filter(({ number, paise }) => paise !== null && (!isMarketing || !optedOut.has(number)))
		const messages = wanted.map(({ number, paise }, index) => newMessage(number, index + 1, paise ?? 0))
		// The price of a campaign of one message is that of its market.
		const pricePaise = facts.isFromChat ? (priced[0]?.paise ?? 0) : this.model.pricePaise
		const { passesOnFree } = this.model.prices
		const campaign = newCampaign({ ...facts, pricePaise, isMarketing, passesOnFree, messages })
		const isPaid = this.model.pay(campaign)
		const id = await create().catch((error: unknown) => {
			if (error instanceof AppError && [400, 402].includes(error.status)) return null
			throw error
		})
		assert.equal(id !== null, isPaid, 'a campaign is created exactly when its wallet can pay it')
		if (id === null) return
		campaign.id = id
		await this.#readOrder(campaign)
	}

	/** Numbers the messages of a campaign that has not started as the product does. */
	async #readOrder(campaign: ModelCampaign): Promise<void> {
		const rows = await this.#context.db<{ seq: number; number: string }[]>`
			select seq, number from campaign_messages
			where account_id = ${this.place.accountId} and campaign_id = ${campaign.id} order by seq
		`
		const known = new Map(campaign.messages.map((message) => [message.number, message]))
		assert.deepEqual(new Set(rows.map(({ number }) => number)), new Set(known.keys()))
		campaign.messages = rows.flatMap(({ number, seq }) => {
			const message = known.get(number)
			return message ? { ...message, seq } : []
		})
	}

	async #change(campaign: ModelCampaign, kind: 'open' | 'pause' | 'resume' | 'cancel' | 'retry failed'): Promise<void> {
		const { db } = this.#context
		const { accountId } = this.place
		// Only its chat shows the campaign, so other calls return 404.
		if (campaign.isFromChat && kind !== 'open')
			return assert.rejects(cancelCampaign(this.#context, accountId, String(campaign.id)), { status: 404 })
		if (kind === 'retry failed') return this.#retryFailed(campaign)
		if (kind === 'open') {
			const wanted = { campaignId: campaign.id, media: null, at: await getNow(db) }
			const isDue = campaign.status === 'pending'
			assert.equal(await startCampaign(db, accountId, wanted), isDue)
			if (isDue) Object.assign(campaign, { status: 'processing', isOpened: true })
			return
		}
		const act = { pause: pauseCampaign, resume: resumeCampaign, cancel: cancelCampaign }[kind]
		const from = kind === 'resume' ? ['paused'] : ['pending', 'processing', ...(kind === 'cancel' ? ['paused'] : [])]
		const isAllowed = from.includes(campaign.status)
		const isRepriced = campaign.offered !== null
		const refusal = !isAllowed ? 409 : kind === 'resume' ? this.model.resume(campaign) : null
		const isDone = refusal === null
		const answer = act(this.#context, accountId, String(campaign.id))
		if (isDone) await answer
		else await assert.rejects(answer, { status: refusal })
		if (isDone && kind === 'resume' && isRepriced) await this.#readOrder(campaign)
		if (isDone && kind !== 'resume') campaign.status = kind === 'pause' ? 'paused' : 'cancelled'
	}

	async #setOptedOut(number: string, optedOut: boolean): Promise<void> {
		await setManyOptedOut(this.#context.db, this.place.accountId, { numbers: [number], ids: [], optedOut })
		if (optedOut) this.model.optedOut.add(number)
		else this.model.optedOut.delete(number)
	}

	async #passOver(kind: 'deactivate' | 'activate' | 'delete' | 'move template'): Promise<void> {
		const { db, notify } = this.#context
		const { accountId, userId: id, templateName } = this.place
		if (kind === 'move template') {
			this.model.moveTemplate()
			const to = this.model.isMarketing ? 'MARKETING' : 'UTILITY'
			await transaction(db, async (sql) => {
				await sql`update templates set category = ${to} where account_id = ${accountId}`
				await pauseRepriced(sql, accountId, { template: { name: templateName, language: 'en', to }, notify })
			})
		} else if (!this.model.isDeleted) {
			if (kind === 'delete') await deleteUser(this.#context, this.#actor, id)
			else await setStatus(this.#context, this.#actor, { id, isActive: kind === 'activate' })
			this.#stopOrGoOn(kind)
		}
	}

	#stopOrGoOn(kind: 'deactivate' | 'activate' | 'delete'): void {
		const wasInUse = this.model.isInUse
		this.model.isInUse = kind === 'activate'
		this.model.isDeleted = kind === 'delete'
		if (kind === 'activate' || (kind === 'deactivate' && !wasInUse)) return
		for (const campaign of this.model.campaigns)
			if (campaign.status === 'pending' || campaign.status === 'processing')
				campaign.status = campaign.isFromChat ? 'failed' : 'paused'
	}
}
