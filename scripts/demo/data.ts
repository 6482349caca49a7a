import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '#app/server/context.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { createGroup } from '#features/contacts/server/groups/groups.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { issuerOf, postRecharge } from '#features/wallet/server/service.ts'
import { saveCredentials } from '#features/whatsapp/server/credentials.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { createAuditTrail } from './audit-trail.ts'
import { createDemoChats } from './chats.ts'
import { createHistory, PAST } from './history.ts'
import type { DemoNetwork } from './network.ts'
import { createOtherUsers, ensureUser, fillAccount } from './other-accounts.ts'
import { createExpiredPayment } from './payments.ts'
import { demoPeople } from './people.ts'
import { createAnswers, createSegments, createTagsAndFields, weddingTemplate } from './targeting.ts'

export const DEMO_ADMIN = {
	name: 'Ravi Menon',
	email: 'admin@example.com',
	password: 'admin123',
	role: 'admin' as const,
}
export const DEMO_USER = { name: 'Meera Shah', email: 'demo@example.com', password: 'demo1234', role: 'user' as const }

const GROUPS = [
	{ name: 'Festive shoppers', description: 'Bought during the last two festive seasons', size: 420 },
	{ name: 'Wholesale buyers', description: 'Shops that order by the bale', size: 180 },
	{ name: 'Pune store', description: 'Visited the store on MG Road', size: 350 },
	{ name: 'VIP customers', description: 'More than ten orders', size: 60 },
]
const CONTACTS = 1200

/** Creates the demo accounts and a month of history once: a marker file is written when everything is complete. */
export async function createDemoData(context: AppContext, network: DemoNetwork): Promise<void> {
	const marker = join(context.env.DATA_DIR, 'demo-data')
	if (existsSync(marker)) return
	const { db } = context
	const others = await createOtherUsers(context)
	const admin = await ensureUser(context, DEMO_ADMIN)
	const user = await ensureUser(context, DEMO_USER)
	const accountId = user.accountId
	await saveCredentials(context, String(user.id), network.main)
	await network.addTemplate(await weddingTemplate(context, accountId))
	await syncTemplates(context, accountId)
	await keepHeaderFile(context, accountId)
	const recharge = (payment: { reference: string; amountPaise: number; notes: string }) =>
		transaction(db, (sql) =>
			postRecharge(sql, accountId, { ...payment, adminId: admin.id, issuer: issuerOf(context.env) }),
		)
	await recharge({ reference: 'recharge:demo-1', amountPaise: 500_000, notes: 'Paid by bank transfer' })
	await createExpiredPayment(db, accountId, {
		userId: user.id,
		reference: `${accountId}-demo`,
		creditPaise: 200_000,
		cgstPaise: 0,
		sgstPaise: 0,
		igstPaise: 0,
		gstPercent: 0,
		days: 12,
	})
	await createContacts(context, accountId)
	await createTagsAndFields(context, accountId)
	await createHistory(context, accountId, PAST)
	await createAnswers(context, accountId)
	await createSegments(context, accountId)
	await recharge({ reference: 'recharge:demo-2', amountPaise: 250_000, notes: 'UPI' })
	for (const [business, member] of others) {
		await fillAccount(context, { business, member, admin }, network.others.get(business.email))
	}
	await createDemoChats(context, accountId, network)
	await createAuditTrail(context, admin, others)
	writeFileSync(marker, `${new Date().toISOString()}\n`)
}

/** Stores the picture in the header of the festive template, which each of its campaigns sends. */
async function keepHeaderFile({ db, storage }: AppContext, accountId: AccountId): Promise<void> {
	const key = `${accountId}/headers/festive-sale.jpg`
	await storage.put(key, await readFile(new URL('festive-sale.jpg', import.meta.url)))
	await db`
		update templates set header_file = ${key} where account_id = ${accountId} and name = 'festive_saree_sale'
	`
}

async function createContacts({ db }: AppContext, accountId: AccountId): Promise<void> {
	const [known] = await db`select 1 from contacts where account_id = ${accountId} limit 1`
	if (known) return
	const ids: number[] = []
	for (const { name, description, size } of GROUPS) {
		const group = await createGroup(db, accountId, { name, description, type: 'national' })
		for (let i = 0; i < size; i++) ids.push(group.id)
	}
	await insertContacts(
		db,
		accountId,
		demoPeople(CONTACTS, (index) => ids[(index * 7 + 300) % CONTACTS] ?? null),
	)
	await db`
		with changed as (
			update contacts set opted_out_at = now() - interval '6 days', opted_out_because = 'reply'
			where account_id = ${accountId} and id % 41 = 0
			returning number, opted_out_at
		), known as (
			insert into opt_outs (account_id, number, is_opted_out, because, changed_at, said_at)
			select ${accountId}::bigint, number, true, 'reply', opted_out_at, opted_out_at from changed
		)
		insert into opt_out_changes (account_id, number, is_opted_out, because, changed_at)
		select ${accountId}::bigint, number, true, 'reply', opted_out_at from changed
	`
}
