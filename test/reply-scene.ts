import assert from 'node:assert/strict'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { holdReplyPrice, moveMoneyOfReplies } from '#features/chats/server/charges/charges.ts'
import { settleChats, type ChatUpdate } from '#features/chats/server/settlement/settle.ts'
import { pricing } from '#features/pricing/contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'

/** Price of a reply in rupees. */
const SERVICE_PRICE = 0.12

/** Starts the app with accounts that pay ₹0.12 for each reply. */
export async function launchReplyScene() {
	const app = await launchTestApp()
	const { context } = app
	const { db } = context
	const admin = await app.signIn('admin')

	async function newAccount(balancePaise = 100): Promise<TestAccount> {
		const made = await account(context, { balancePaise })
		await setPrice(made, { servicePrice: SERVICE_PRICE })
		return made
	}

	async function setPrice(payer: TestAccount, given: object): Promise<void> {
		const body = { marketingPrice: 1, utilityPrice: 0.3, ...given }
		const answer = await app.call(pricing.update, { params: { userId: payer.userId }, body }, admin)
		assert.equal(answer.status, 200, answer.body.message)
	}

	/** Inserts a pending reply and holds its price. Returns its id. */
	async function reply({ accountId }: TestAccount, chat = '919800000001'): Promise<number> {
		return transaction(db, async (sql) => {
			const [row] = await sql<{ id: number }[]>`
				insert into chat_messages (account_id, chat, direction, kind, status, at)
				values (${accountId}, ${chat}, 'out', 'text', 'pending', now()) returning id
			`
			assert.ok(row)
			await holdReplyPrice(sql, accountId, { id: row.id, chat })
			return row.id
		})
	}

	/** Settles updates as a webhook does, in one batch. */
	async function receive({ accountId }: TestAccount, updates: ChatUpdate[]): Promise<void> {
		const { isMoneyDue } = await transaction(db, (sql) => settleChats(sql, accountId, updates))
		if (isMoneyDue) await moveMoneyOfReplies(context, accountId)
	}

	/** Returns the available and the held balance in paise. */
	async function wallet({ accountId }: TestAccount): Promise<[available: number, held: number]> {
		const { availablePaise, heldPaise } = await getWallet(db, accountId)
		return [availablePaise, heldPaise]
	}

	/** Returns the reconciliation's findings, about one account when given. */
	async function findings(of?: TestAccount): Promise<string[]> {
		const found = (await reconcileMoney(db)).filter(({ accountId }) => !of || accountId === of.accountId)
		return found.map(({ rule, detail }) => `${rule}: ${detail}`)
	}

	async function chargeOf(id: number): Promise<{ state: string; pricingType: string | null } | undefined> {
		const [row] = await db<{ state: string; pricingType: string | null }[]>`
			select state, pricing_type as "pricingType" from reply_charges where message_id = ${id}
		`
		return row
	}

	return { app, context, db, newAccount, setPrice, reply, receive, wallet, findings, chargeOf }
}

/** Returns a status update of a reply. A type becomes its pricing. */
export function replyUpdate(
	id: number,
	status: ChatUpdate['status'],
	{ type = null, errorCode = 131026 }: { type?: string | null | undefined; errorCode?: number } = {},
): ChatUpdate {
	const error = status === 'failed' ? { errorCode, error: 'Undeliverable' } : { errorCode: null, error: null }
	const priced = type ? { category: 'service', type } : null
	return { id, status, at: new Date(), wamid: `wamid.${id}`, ...error, pricing: priced }
}
