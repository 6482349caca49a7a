import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AppContext } from '#app/server/context.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { claimFresh, claimRetries, type ClaimedMessage } from '#features/delivery/server/claims/claim-queries.ts'
import { recoverClaims } from '#features/delivery/server/claims/recovery.ts'
import type { Outcome } from '#features/delivery/server/message/response-classifier.ts'
import { createRecorder } from '#features/delivery/server/sending/recorder.ts'
import { acquireLease, type Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction } from '#lib/server/db.ts'
import { openSendLog } from '#lib/server/storage/send-log.ts'
import type { TestAccount } from '#test/factories.ts'
import type { Model, ModelCampaign, ModelMessage, Word } from './model.ts'
import type { Answer, Step } from './steps.ts'

type Sending = Extract<Step, { kind: 'send' }>
type Claiming = Sending | Extract<Step, { kind: 'crash' }>

/** An account in which histories run one after the other. */
export interface Place extends TestAccount {
	templateId: string
	templateName: string
	numbers: string[]
}

/** Drives an account's sender as successive workers do. */
export class LaneWorker {
	readonly #context: AppContext
	readonly #place: Place
	readonly #model: Model
	#lease: Lease = { worker: '', epoch: 0 }
	#batch = 0
	/**
	 * Messages that a crashed worker had claimed. `isKnown` is true if its send log records which were handed to a connection.
	 */
	#orphans: { message: ModelMessage; isKnown: boolean }[] = []

	constructor(context: AppContext, place: Place, model: Model) {
		this.#context = context
		this.#place = place
		this.#model = model
	}

	async claim(campaign: ModelCampaign, step: Claiming): Promise<void> {
		await this.recover()
		const { db } = this.#context
		const { accountId } = this.#place
		const batch = ++this.#batch
		const hasLog = step.kind === 'crash' && step.hasLog
		const log = hasLog ? openSendLog({ ...this.#lease, account: accountId, batch }) : null
		const query = step.isRetry ? claimRetries : claimFresh
		const request = { lease: this.#lease, batch, campaignId: campaign.id, limit: step.limit }
		const claimed = await transaction(db, (sql) => query(sql, accountId, request))
		const messages = claimed.map(({ seq }) => this.#taken(campaign, seq))
		const isSending = campaign.status === 'processing' && this.#model.isInUse
		const waiting = campaign.messages.filter(
			({ status, place }) => status === 'pending' && place === (step.isRetry ? 'retry' : 'queue'),
		)
		assert.equal(
			claimed.length,
			isSending ? Math.min(step.limit, waiting.length) : 0,
			'all waiting messages are claimed, and no others',
		)
		assert.ok(messages.every((message) => waiting.includes(message) && !message.wasHanded))
		for (const [index, message] of messages.entries()) {
			message.place = 'claimed'
			const isOut = campaign.isMarketing && this.#model.optedOut.has(message.number)
			assert.equal(claimed[index]?.isOptedOut, isOut, 'only people who opted out are left out')
		}
		if (step.kind === 'send') return this.#settle(campaign, { step, claimed, messages })
		for (const [index, message] of messages.entries()) {
			const isHanded = index < step.handed
			if (isHanded) log?.note(message.seq)
			message.wasHanded = isHanded || !log
			this.#orphans.push({ message, isKnown: log !== null })
		}
		if (messages.length === 0) log?.close()
	}

	#taken(campaign: ModelCampaign, seq: number): ModelMessage {
		const message = campaign.messages.find((each) => each.seq === seq)
		assert.ok(message)
		return message
	}

	/** Settles the answers to claimed messages as a worker does. */
	async #settle(
		campaign: ModelCampaign,
		given: { step: Sending; claimed: ClaimedMessage[]; messages: ModelMessage[] },
	): Promise<void> {
		const words: Word[] = []
		const outcomes = given.claimed.map((claimed, index) => {
			const message = given.messages[index]
			assert.ok(message)
			const answer = claimed.isOptedOut ? 'opted out' : (given.step.answers[index] ?? 'accepted')
			message.wasHanded = !['opted out', 'unreachable', 'not sent'].includes(answer)
			if (answer === 'unreachable' || answer === 'not sent') message.place = 'retry'
			if (answer === 'silent') message.place = 'unknown'
			const wamid = wamidOf(campaign, message)
			if (answer === 'accepted') words.push({ message, status: 'sent', wamid })
			if (isRefusal(answer)) words.push({ message, status: 'failed', code: REFUSALS[answer] })
			if (answer === 'opted out') words.push({ message, status: 'failed', code: OWN_ERRORS.optedOut.code })
			return { claimed, outcome: outcomeOf(answer, wamid) }
		})
		for (let times = given.step.isRepeated ? 2 : 1; times > 0; times--) {
			const recorder = this.#recorder()
			for (const { claimed, outcome } of outcomes) recorder.add(claimed, outcome)
			await recorder.drain()
		}
		this.#model.settle(campaign, words)
	}

	#recorder() {
		const { db, notify, log, watch } = this.#context
		const hooks = { worker: { stopped: AbortSignal.abort() }, onSettled: () => {}, onRetry: () => {} }
		return createRecorder({ db, notify, log, watch, accountId: this.#place.accountId, lease: this.#lease, ...hooks })
	}

	/** Takes the lease as another worker, and settles the claims of its predecessor. */
	async recover(): Promise<void> {
		const { db } = this.#context
		const { accountId } = this.#place
		const seen = this.#lease.epoch === 0 ? { worker: null, epoch: 0 } : this.#lease
		if (this.#lease.epoch > 0 && this.#orphans.length === 0) return
		const lease = await acquireLease(db, accountId, { worker: randomUUID(), seen })
		assert.ok(lease)
		this.#lease = lease
		await recoverClaims(db, accountId, { lease })
		for (const { message, isKnown } of this.#orphans.splice(0))
			if (message.place === 'claimed') message.place = isKnown && !message.wasHanded ? 'retry' : 'unknown'
	}
}

export function wamidOf({ id }: ModelCampaign, { seq }: Pick<ModelMessage, 'seq'>): string {
	return `wamid.${id}.${seq}`
}

/** Meta's code of each refusal. */
const REFUSALS = { refused: 131026, throttled: 131049, overloaded: 131056 } as const

function isRefusal(answer: string): answer is keyof typeof REFUSALS {
	return Object.hasOwn(REFUSALS, answer)
}

function outcomeOf(answer: Answer | 'opted out', wamid: string): Outcome {
	switch (answer) {
		case 'accepted':
			return { kind: 'accepted', wamid, isInQualityCheck: false, waId: null }
		case 'refused':
		case 'throttled':
		case 'overloaded':
			return { kind: 'failed', code: REFUSALS[answer], error: 'Refused', optOut: false, repeats: false }
		case 'unreachable':
			return { kind: 'retry', code: -7, error: 'Unreachable', delayMs: 0, cause: 'unreachable' }
		case 'silent':
			return { kind: 'unknown', error: 'No answer' }
		case 'not sent':
			return { kind: 'returned' }
		case 'opted out':
			return { kind: 'opted-out' }
	}
}
