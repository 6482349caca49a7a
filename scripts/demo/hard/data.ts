import type { AppContext } from '#app/server/context.ts'
import type { Member } from '#features/auth/server/queries.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { createGroup } from '#features/contacts/server/groups/groups.ts'
import { setManyOptedOut } from '#features/contacts/server/service.ts'
import { notify } from '#features/notifications/server/service.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { issuerOf, postRecharge } from '#features/wallet/server/service.ts'
import { saveCredentials } from '#features/whatsapp/server/credentials.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { ensureUser } from '../other-accounts.ts'
import { createExpiredPayment } from '../payments.ts'
import { createHardCampaigns } from './campaigns.ts'
import { createHardChats } from './chats.ts'
import { createHardUsers } from './other-users.ts'
import { hardPeople } from './people.ts'
import { HARD_TEMPLATES } from './templates.ts'
import { HARD_GROUPS, HARD_NAMES, LONG_ERROR, ofLength, unbroken } from './texts.ts'

/** ₹12,34,56,789.50 */
const BALANCE_PAISE = 12_345_678_950
/** The maximum recharge. */
const FIRST_RECHARGE_PAISE = 10_000_000_000
const CONTACTS = 1206

export const HARD_ADMIN = {
	name: HARD_NAMES[4] ?? '',
	email: `hard.admin.${unbroken(50).toLowerCase()}@example.com`,
	password: 'admin123',
	role: 'admin' as const,
}
export const HARD_USER = {
	name: HARD_NAMES[1] ?? '',
	email: `hard.user.${unbroken(50).toLowerCase()}@example.com`,
	password: 'demo1234',
	role: 'user' as const,
}

/** Ids of the records that strain a layout most. */
export interface HardData {
	adminId: number
	userId: number
	campaignId: number
	paymentId: number
	/** Key of the longest chat. */
	chat: string
}

/**
 * Creates an admin and a user whose screens show data that strains a layout: names of 60 characters in other scripts and
 * directions, words without break opportunities, numbers of many countries, crores of rupees, errors of 500 characters,
 * messages of 4,096. Runs once per database. Of other demo data it changes only the admins' lists.
 */
export async function createHardData(context: AppContext, simulator: Pick<Simulator, 'control'>): Promise<HardData> {
	const admin = await ensureUser(context, HARD_ADMIN)
	await createHardUsers(context, simulator, admin)
	const user = await ensureUser(context, HARD_USER)
	const accountId = user.accountId
	await createTemplates(context, simulator, user)
	await createContacts(context, accountId)
	await recharge(context, accountId, { admin, part: 1, amountPaise: FIRST_RECHARGE_PAISE })
	await context.db`
		update prices set marketing_paise = 999999, utility_paise = 123456 where account_id = ${accountId}
	`
	const campaignId = await createHardCampaigns(context, accountId)
	const { availablePaise } = await getWallet(context.db, accountId)
	await recharge(context, accountId, { admin, part: 2, amountPaise: BALANCE_PAISE - availablePaise })
	const paymentId = await createExpiredPayment(context.db, accountId, {
		userId: user.id,
		reference: `${accountId}-${unbroken(40)}`.slice(0, 40),
		creditPaise: FIRST_RECHARGE_PAISE,
		cgstPaise: 900_000_000,
		sgstPaise: 900_000_000,
		igstPaise: 0,
		gstPercent: 18,
		days: 2,
	})
	const chat = await createHardChats(context, accountId)
	await createNotifications(context, accountId)
	await countWebhooks(context, accountId)
	return { adminId: admin.id, userId: user.id, campaignId, paymentId, chat }
}

async function createTemplates(
	context: AppContext,
	{ control }: Pick<Simulator, 'control'>,
	user: Member,
): Promise<void> {
	const credentials = await control.createAccount({ name: HARD_NAMES[0] ?? '' })
	for (const template of HARD_TEMPLATES) await control.addTemplate({ ...template, waba_id: credentials.waba_id })
	await saveCredentials(context, String(user.id), credentials)
	await syncTemplates(context, user.accountId)
	await context.db`
		update templates set rejected_reason = ${LONG_ERROR} where account_id = ${user.accountId} and status = 'REJECTED'
	`
}

async function createContacts({ db }: AppContext, accountId: AccountId): Promise<void> {
	const ids: number[] = []
	for (const group of HARD_GROUPS) ids.push((await createGroup(db, accountId, { ...group, type: 'international' })).id)
	// The last group stays empty; every seventh contact has no group.
	const people = hardPeople(CONTACTS, (index) => (index % 7 === 6 ? null : (ids[index % (ids.length - 1)] ?? null)))
	await insertContacts(db, accountId, people)
	const numbers = people.flatMap(({ number }, index) => (index % 50 === 0 ? [number] : []))
	await setManyOptedOut(db, accountId, { numbers: [...numbers, '+1 212 555 0123'], ids: [], optedOut: true })
}

async function recharge(
	{ db, env }: AppContext,
	accountId: AccountId,
	{ admin, part, amountPaise }: { admin: Member; part: number; amountPaise: number },
): Promise<void> {
	const notes = part === 1 ? unbroken(500) : ofLength('Paid by NEFT, reference ', 500)
	const payment = { reference: `recharge:hard-${part}`, amountPaise, notes }
	await transaction(db, (sql) => postRecharge(sql, accountId, { ...payment, adminId: admin.id, issuer: issuerOf(env) }))
}

async function createNotifications({ db }: AppContext, accountId: AccountId): Promise<void> {
	const texts = [LONG_ERROR, unbroken(300), ...HARD_NAMES.map((name) => `Campaign "${name}" is paused: ${LONG_ERROR}`)]
	for (const text of texts)
		await transaction(db, (sql) => notify(sql, accountId, { text, link: '/user/notifications' }))
}

async function countWebhooks({ db }: AppContext, accountId: AccountId): Promise<void> {
	const at = new Date()
	await db`
		insert into webhook_totals (account_id, processed_count, last_received_at, last_processed_at)
		values (${accountId}, 123456789, ${at}, ${at})
		on conflict (account_id) do update set processed_count = excluded.processed_count
	`
}
