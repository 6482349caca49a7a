import { randomUUID } from 'node:crypto'
import { toRecipients } from '#features/audiences/server/recipients/recipient-sources.ts'
import { insertMember } from '#features/auth/server/queries.ts'
import { writeOrder } from '#features/campaigns/server/creation/write-order.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { claimFresh, claimRetries, type ClaimedMessage } from '#features/delivery/server/claims/claim-queries.ts'
import { findSendingState } from '#features/delivery/server/claims/sending-state-queries.ts'
import { startCampaign } from '#features/delivery/server/lifecycle/transition-queries.ts'
import { holdRestored } from '#features/delivery/server/restore/restored.ts'
import { createRecorder } from '#features/delivery/server/sending/recorder.ts'
import { pauseCampaign } from '#features/delivery/server/service.ts'
import { sweepEnded } from '#features/delivery/server/sweeps/sweeps.ts'
import { readListForm } from '#features/developer/server/campaigns/recipient-list.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { acquireLease, type Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import { template } from '#test/factories.ts'
import { campaignForm, LATER } from '#test/full-stack.ts'
import { sweepDeps, type Stage } from './stage.ts'
import { tick } from './strand.ts'

/** State of the campaign that the operations of a race share. */
export type Target = 'sending' | 'scheduled' | 'paused' | 'draft' | 'unknown' | 'accepted' | 'restored'

export interface Claimed {
	message: ClaimedMessage
	/** Start of its claim, by `tick`. */
	atTick: number
	isSettled: boolean
}

/** A message that the network received. */
export interface Sent {
	campaignId: number
	number: string
	/** Start of its claim, by `tick`. */
	atTick: number
}

const BALANCE_PAISE = 1_000_000
const CONTACTS = 4
/** Number of messages, of four, that a sending campaign has in a claim. */
const CLAIMED = 2

/** Returns an assignment that moves a column 31 days back, in terms that Citus takes. */
const earlier = (column: string) => `${column} = (${column} at time zone 'UTC' - interval '31 days') at time zone 'UTC'`

/** The account of one race: four contacts, a template, a sender with a lease, and the campaigns that the operations ask for. */
export class Scene {
	readonly stage: Stage
	readonly accountId: AccountId
	readonly userId: number
	readonly templateId: string
	readonly templateName: string
	readonly numbers: string[]
	readonly claims: Claimed[] = []
	readonly sent: Sent[] = []
	readonly #lease: Lease
	readonly #campaigns = new Map<Target, Promise<number>>()
	/** True if an operation of the race starts the draft campaign that other operations change. */
	hasStarter = false
	#batch = 0

	private constructor(
		stage: Stage,
		made: Pick<Scene, 'accountId' | 'userId' | 'templateId' | 'templateName' | 'numbers'> & { lease: Lease },
	) {
		this.stage = stage
		this.accountId = made.accountId
		this.userId = made.userId
		this.templateId = made.templateId
		this.templateName = made.templateName
		this.numbers = made.numbers
		this.#lease = made.lease
	}

	static async open(stage: Stage): Promise<Scene> {
		const { context } = stage
		const { db } = context
		const { accountId, userId } = await transaction(db, async (sql) => {
			const id = randomUUID()
			const person = { name: 'Asha', email: `${id}@example.com`, role: 'user', isActive: true } as const
			const member = await insertMember(sql, { ...person, passwordHash: 'none', from: 'self', worksIn: null })
			await context.onAccountCreated(sql, member.accountId, { role: 'user' })
			await postRecharge(sql, member.accountId, { reference: `race:${id}`, amountPaise: BALANCE_PAISE })
			await sql`
				insert into senders (account_id, phone_number_id, waba_id, access_token_sealed, webhook_key, verify_token)
				values (${member.accountId}, ${`phone ${id}`}, 'waba', '', ${id}, 'token')
			`
			return { accountId: member.accountId, userId: member.id }
		})
		const { templateId, name } = await template(db, accountId, { components: [{ type: 'BODY', text: 'Hello!' }] })
		const numbers = Array.from(
			{ length: CONTACTS },
			(_, at) => `9198${String((Number(accountId) * CONTACTS + at) % 10 ** 8).padStart(8, '0')}`,
		)
		const nameless = { firstName: 'Contact', lastName: null, groupId: null }
		await insertContacts(
			db,
			accountId,
			numbers.map((number) => ({ ...nameless, number })),
		)
		const lease = await acquireLease(db, accountId, { worker: randomUUID(), seen: { worker: null, epoch: 0 } })
		if (!lease) throw new Error('the lease of a new sender is free')
		return new Scene(stage, { accountId, userId, templateId, templateName: name, numbers, lease })
	}

	get db(): Db {
		return this.stage.context.db
	}

	/** Phone number of the contact whom operations opt out, erase or write to. */
	get person(): string {
		return this.numbers[0] ?? ''
	}

	/** Returns the id of the campaign in this state. Creates it at the first call. */
	campaign(target: Target): Promise<number> {
		const known = this.#campaigns.get(target)
		if (known) return known
		const made = this.#make(target)
		this.#campaigns.set(target, made)
		return made
	}

	async #make(target: Target): Promise<number> {
		const { db, accountId } = this
		if (target === 'draft') return this.makeDraft()
		const form = campaignForm(this.templateId, { variables: {}, ...(target === 'scheduled' && LATER) })
		const id = await createCampaign(this.stage.context, accountId, form)
		if (target === 'scheduled') return id
		await startCampaign(db, accountId, { campaignId: id, media: null, at: await getNow(db) })
		if (target === 'paused') await pauseCampaign(this.stage.context, accountId, String(id))
		else await this.claimOf(id, target === 'sending' || target === 'restored' ? CLAIMED : CONTACTS)
		if (target === 'restored') await transaction(db, (sql) => holdRestored(sql, accountId, this.stage.context.notify))
		if (target === 'unknown') await this.#makeUnknown(id)
		if (target === 'accepted') await this.#makeOld(id)
		return id
	}

	/** Creates a program's list that was filled eight days ago and never started. */
	async makeDraft(): Promise<number> {
		const { db, accountId } = this
		const order = await readListForm(db, accountId, campaignForm(this.templateId, { variables: {} }))
		const source = toRecipients(this.numbers.map((number) => ({ number, name: null, values: [] })))
		const { id } = await transaction(db, (sql) => writeOrder(sql, accountId, { ...order, source }))
		await db`update campaigns set created_at = now() - interval '8 days' where account_id = ${accountId} and id = ${id}`
		return id
	}

	async #makeUnknown(id: number): Promise<void> {
		await this.settle(id, { kind: 'unknown', error: 'No answer' })
		await this.db`
			update unsettled_messages set unknown_since = now() - interval '1 hour'
			where account_id = ${this.accountId} and campaign_id = ${id}
		`
	}

	/** Makes a campaign so old that its messages, whose delivery no status update has confirmed, are refunded. */
	async #makeOld(id: number): Promise<void> {
		const { db, accountId } = this
		await this.settle(id)
		await db.unsafe(`update campaigns set ${earlier('started_at')} where id = $1`, [id])
		await db.unsafe(`update campaign_messages set ${earlier('sent_at')} where campaign_id = $1`, [id])
		await db`update senders set reported_through = now() where account_id = ${accountId}`
	}

	/** Claims the messages that may be sent now, as a worker does. Returns their number. */
	async claim(): Promise<number> {
		const state = await findSendingState(this.db, this.accountId)
		let count = 0
		for (const { id, hasFresh, retryInMs } of state?.campaigns ?? []) {
			if (retryInMs !== null && retryInMs <= 0) count += await this.claimOf(id, 100, claimRetries)
			if (hasFresh) count += await this.claimOf(id, 100)
		}
		return count
	}

	async claimOf(campaignId: number, limit: number, query = claimFresh): Promise<number> {
		const atTick = tick()
		const request = { lease: this.#lease, batch: ++this.#batch, campaignId, limit }
		const messages = await transaction(this.db, (sql) => query(sql, this.accountId, request), { isByKey: true })
		this.claims.push(...messages.map((message) => ({ message, atTick, isSettled: false })))
		return messages.length
	}

	/** Settles the claims of one campaign or of all: as accepted, unless `answer` is given. */
	async settle(campaignId: number | null, answer?: Parameters<ReturnType<typeof createRecorder>['add']>[1]) {
		const { db, accountId } = this
		const { notify, log, watch } = this.stage.context
		const hooks = { worker: { stopped: AbortSignal.abort() }, onSettled: () => {}, onRetry: () => {} }
		const recorder = createRecorder({ db, notify, log, watch, accountId, lease: this.#lease, ...hooks })
		for (const claimed of this.claims) {
			const { message, atTick, isSettled } = claimed
			if (isSettled || (campaignId !== null && message.campaignId !== campaignId)) continue
			claimed.isSettled = true
			const accepted = { kind: 'accepted', wamid: wamidOf(message), isInQualityCheck: false, waId: null } as const
			recorder.add(message, message.isOptedOut ? { kind: 'opted-out' } : (answer ?? accepted))
			if (!message.isOptedOut) this.sent.push({ campaignId: message.campaignId, number: message.number, atTick })
		}
		await recorder.drain()
	}

	/** Deletes the rows that sweeps over all accounts would find again. */
	async close(): Promise<void> {
		await this.db.unsafe(
			['message_claims', 'unsettled_messages', 'unmatched_reports', 'campaign_messages', 'campaigns']
				.map((table) => `delete from ${table} where account_id = ${Number(this.accountId)}`)
				.join(';'),
		)
	}
}

/** Sends all messages of the account that may be sent, as opener, sweep and worker do. */
export async function sendAll(scene: Scene): Promise<void> {
	const { db, accountId, userId } = scene
	for (let left = 6; left > 0; left--) {
		await scene.settle(null)
		const [user] = await db<{ isActive: boolean }[]>`select is_active as "isActive" from users where id = ${userId}`
		const due = user?.isActive
			? await db<{ id: number }[]>`
					update campaigns set opens_at = now() where account_id = ${accountId} and status = 'pending' returning id
				`
			: []
		for (const { id } of due) await startCampaign(db, accountId, { campaignId: id, media: null, at: await getNow(db) })
		const swept = await sweepEnded(sweepDeps(scene.stage))
		if ((await scene.claim()) === 0 && swept === 0 && due.length === 0) return
	}
}

export function wamidOf({ campaignId, seq }: { campaignId: number; seq: number }): string {
	return `wamid.${campaignId}.${seq}`
}
