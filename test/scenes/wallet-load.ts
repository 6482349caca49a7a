import { randomUUID } from 'node:crypto'
import { composeHooks } from '#app/server/compose.ts'
import { readEnv } from '#app/server/env.ts'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
import { recharge } from '#features/wallet/server/service.ts'
import { AppError } from '#lib/app-error.ts'
import { connect } from '#lib/server/db.ts'
import { createTestDatabase } from '../database.ts'
import { account, contact, template } from '../factories.ts'
import { campaignForm } from '../full-stack.ts'

export interface WalletLoad {
	recharges: number
	campaigns: number
	/** Number of campaigns that the wallet could not pay at that moment. */
	refused: number
	/** Any other errors; there should be none. */
	errors: string[]
	/** Findings of the reconciliation. */
	findings: string[]
	/** Lowest balance in the ledger, in paise. */
	lowestPaise: number
	/** Transactions a second of all clients together. */
	perSecond: number
	/** Plain updates a second of one row by the same number of clients, before and after the load. */
	bare: number[]
}

/** Lets many clients recharge one wallet and create campaigns from it concurrently for `seconds`. */
export async function loadWallet({ clients, seconds }: { clients: number; seconds: number }): Promise<WalletLoad> {
	const database = await createTestDatabase()
	const env = readEnv({ NODE_ENV: 'test', SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), LOG_LEVEL: 'silent' })
	const db = connect(database.url, { max: clients, name: 'wallet load' })
	const context = { db, env, ...composeHooks(env) }
	const load = { recharges: 0, campaigns: 0, refused: 0 }
	const errors: string[] = []
	try {
		const [admin, payer, idle] = [
			await account(context, { role: 'admin' }),
			await account(context),
			await account(context, { balancePaise: 100 }),
		]
		for (let n = 0; n < 3; n++) await contact(db, payer.accountId)
		const { templateId } = await template(db, payer.accountId)
		const form = () => campaignForm(templateId, { requestId: randomUUID() })
		const by = { adminId: Number(admin.userId), ip: '192.0.2.1' }
		const work = async (client: number, turn: number) => {
			try {
				if ((client + turn) % 2 === 0) {
					await recharge(context, payer.userId, { amountPaise: 250, requestId: randomUUID(), actor: by })
					load.recharges++
				} else {
					await createCampaign(context, payer.accountId, form())
					load.campaigns++
				}
			} catch (error) {
				if (error instanceof AppError && error.status === 402) load.refused++
				else errors.push(String(error))
			}
		}
		const bareSeconds = Math.max(1, seconds / 6)
		const bareUpdate = () => db`
			update wallets set low_notified_at = now() where account_id = ${idle.accountId}
		`
		const bare = [await rate(clients, bareSeconds, bareUpdate)]
		const perSecond = await rate(clients, seconds, work)
		bare.push(await rate(clients, bareSeconds, bareUpdate))
		const [lowest] = await db<{ paise: number }[]>`
			select min(least(available_after_paise, held_after_paise)) as paise from ledger_entries
		`
		const findings = (await reconcileMoney(db)).map(({ rule, detail }) => `${rule}: ${detail}`)
		return { ...load, errors, findings, lowestPaise: lowest?.paise ?? 0, perSecond, bare }
	} finally {
		await db.end()
		await database.drop()
	}
}

/** Returns the number of actions a second of the clients, each of which acts sequentially. */
async function rate(
	clients: number,
	seconds: number,
	work: (client: number, turn: number) => PromiseLike<unknown>,
): Promise<number> {
	let done = 0
	const began = performance.now()
	const until = began + seconds * 1000
	const client = async (number: number) => {
		for (let turn = 0; performance.now() < until; turn++) {
			await work(number, turn)
			done++
		}
	}
	await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
	return done / ((performance.now() - began) / 1000)
}
