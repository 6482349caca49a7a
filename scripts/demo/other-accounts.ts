import type { AppContext } from '#app/server/context.ts'
import type { Member } from '#features/auth/server/queries.ts'
import { createUser } from '#features/auth/server/service.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { createGroup } from '#features/contacts/server/groups/groups.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { issuerOf, postRecharge } from '#features/wallet/server/service.ts'
import { saveCredentials } from '#features/whatsapp/server/credentials.ts'
import { stopSender } from '#features/whatsapp/server/service.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import type { Credentials } from '#simulator/simulator.ts'
import { BUSINESSES, type Business } from './businesses.ts'
import { createHistory, daysBefore } from './history.ts'
import { demoPeople } from './people.ts'

/** Password of users whom no demo visitor signs in as. */
const PASSWORD = 'demo1234'

/**
 * Creates the users in the order in which they joined, before the users that visitors sign in as: lists show the newest first.
 */
export async function createOtherUsers(context: AppContext): Promise<Map<Business, Member>> {
	const members = new Map<Business, Member>()
	for (const business of BUSINESSES) {
		const { name, email, joinedDaysAgo } = business
		const member = await ensureUser(context, { name, email, password: PASSWORD, role: 'user' })
		await context.db`update users set created_at = ${daysBefore(joinedDaysAgo)} where id = ${member.id}`
		members.set(business, member)
	}
	return members
}

export async function ensureUser(
	context: AppContext,
	person: { name: string; email: string; password: string; role: 'admin' | 'user' },
): Promise<Member> {
	const [known] = await context.db<Member[]>`
		select id, account_id as "accountId", name, email, role, is_active as "isActive"
		from users where email = ${person.email} and deleted_at is null
	`
	return known ?? createUser(context, { ...person, isActive: true })
}

/** Writes the contacts, money and campaigns of an account. A repetition after an interruption adds the missing ones. */
export async function fillAccount(
	context: AppContext,
	{ business, member, admin }: { business: Business; member: Member; admin: Member },
	credentials: Credentials | undefined,
): Promise<void> {
	const { db } = context
	const accountId = member.accountId
	if (business.prices) {
		const { marketingPaise, utilityPaise } = business.prices
		await db`
			update prices set marketing_paise = ${marketingPaise}, utility_paise = ${utilityPaise} where account_id = ${accountId}
		`
	}
	if (credentials) {
		await saveCredentials(context, String(member.id), credentials)
		await syncTemplates(context, accountId)
	}
	await createContacts(context, accountId, business)
	await createMonth(context, { business, accountId, admin })
	if (business.stopped) {
		const { reason } = business.stopped
		await stopSender(db, accountId, { user: reason, admin: reason })
		await db`update senders set stopped_at = ${daysBefore(business.stopped.daysAgo)} where account_id = ${accountId}`
	}
	if (business.deactivatedDaysAgo !== undefined) await db`update users set is_active = false where id = ${member.id}`
}

/** Writes recharges and campaigns in the order in which they happened, because the ledger keeps the order of writing. */
async function createMonth(
	context: AppContext,
	{ business, accountId, admin }: { business: Business; accountId: AccountId; admin: Member },
): Promise<void> {
	const { db, env } = context
	const { recharges, campaigns } = business
	for (const [index, { daysAgo, amountPaise, notes }] of recharges.entries()) {
		const reference = `recharge:demo-${index}`
		const payment = { reference, amountPaise, notes, adminId: admin.id, issuer: issuerOf(env) }
		await transaction(db, async (sql) => {
			await postRecharge(sql, accountId, payment)
			await sql`
				update ledger_entries set created_at = ${daysBefore(daysAgo)}
				where account_id = ${accountId} and reference = ${reference}
			`
		})
		const nextDaysAgo = recharges[index + 1]?.daysAgo ?? 0
		const paid = campaigns.filter((campaign) => campaign.daysAgo < daysAgo && campaign.daysAgo >= nextDaysAgo)
		await createHistory(context, accountId, paid)
	}
}

async function createContacts({ db }: AppContext, accountId: AccountId, { groups }: Business): Promise<void> {
	const [known] = await db`select 1 from contacts where account_id = ${accountId} limit 1`
	if (known) return
	const ids: number[] = []
	for (const { name, description, size } of groups) {
		const group = await createGroup(db, accountId, { name, description, type: 'national' })
		for (let n = 0; n < size; n++) ids.push(group.id)
	}
	await insertContacts(
		db,
		accountId,
		demoPeople(ids.length, (index) => ids[index] ?? null),
	)
}
