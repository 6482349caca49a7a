import { randomBytes } from 'node:crypto'
import { composeHooks } from '#app/server/compose.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { createVault } from '#lib/server/secrets.ts'
import { account, campaignRow } from '#test/factories.ts'

/** An account whose campaign waits for its statuses. */
export interface Scene {
	accountId: AccountId
	campaignId: number
	phoneNumberId: string
	/** Path of the account's webhooks. */
	path: string
}

/** Price per message of `campaignRow`. */
const PRICE_PAISE = 100

/** Creates a campaign whose messages are all sent and paid for, without any status update yet. */
export async function createScene(
	db: Db,
	{ messages, secret, secretKey }: { messages: number; secret: string; secretKey: string },
): Promise<Scene> {
	const hooks = composeHooks({ DEFAULT_MARKETING_PRICE: '1.00', DEFAULT_UTILITY_PRICE: '0.30' })
	const context = { db, env: { PASSWORD_POLICY: 'specified' as const }, ...hooks }
	const { accountId } = await account(context, { email: `bench${randomBytes(6).toString('hex')}@example.com` })
	const campaignId = await campaignRow(db, accountId, { status: 'processing' })
	const paise = messages * PRICE_PAISE
	await transaction(db, async (sql) => {
		await postRecharge(sql, accountId, { reference: 'recharge:bench', amountPaise: paise })
		await post(sql, accountId, {
			kind: 'hold',
			reference: `hold:${campaignId}`,
			paise,
			campaignId,
			messageCount: messages,
		})
	})
	await db`
		insert into campaign_messages (account_id, campaign_id, seq, number)
		select ${accountId}, ${campaignId}, n, (919800000000 + n)::text from generate_series(1, ${messages}::int) as n
	`
	await db`
		update campaigns set total_count = ${messages}, pending_count = ${messages}, claimed_through = ${messages}
		where account_id = ${accountId} and id = ${campaignId}
	`
	const vault = createVault(Buffer.from(secretKey, 'base64'))
	const key = `${accountId}-${randomBytes(12).toString('hex')}`
	const phoneNumberId = `bench${accountId}`
	await db`
		insert into senders (
			account_id, phone_number_id, waba_id, access_token_sealed, app_secret_sealed, webhook_key, verify_token
		)
		values (
			${accountId}, ${phoneNumberId}, ${`waba-${accountId}`}, ${vault.encrypt(accountId, 'token')}, ${vault.encrypt(accountId, secret)}, ${key}, 'token'
		)
	`
	return { accountId, campaignId, phoneNumberId, path: `/api/webhooks/whatsapp/${key}` }
}

export interface Counts {
	pending: number
	read: number
	/** Number of messages whose row disagrees with the counter. */
	mismatches: number
}

export async function readCounts(db: Db, { accountId, campaignId }: Scene): Promise<Counts> {
	const [row] = await db<{ pending: number; read: number; total: number }[]>`
		select pending_count as pending, read_count as read, total_count as total from campaigns
		where account_id = ${accountId} and id = ${campaignId}
	`
	if (!row) throw new Error('the campaign is gone')
	if (row.read < row.total) return { ...row, mismatches: 0 }
	const [rows] = await db<{ read: number }[]>`
		select count(*) as read from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and status = 'read'
	`
	return { ...row, mismatches: row.total - (rows?.read ?? 0) }
}
