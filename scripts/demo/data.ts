import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '#app/server/context.ts'
import { createUser, type Member } from '#features/auth/server/service.ts'
import { createGroup, insertContacts } from '#features/contacts/server/service.ts'
import { syncTemplates } from '#features/templates/server/service.ts'
import { issuerOf, postRecharge } from '#features/wallet/server/service.ts'
import { saveCredentials } from '#features/whatsapp/server/credentials.ts'
import { transaction, type OwnerId } from '#lib/server/db.ts'
import type { Credentials } from '#simulator/simulator.ts'
import { createHistory } from './history.ts'
import { demoPeople } from './people.ts'

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
const CONTACT_COUNT = 1_200

/** Creates the demo accounts and a month of history once; a marker file in DATA_DIR records that it is complete. */
export async function createDemoData(context: AppContext, credentials: Credentials): Promise<void> {
	const marker = join(context.env.DATA_DIR, 'demo-data')
	if (existsSync(marker)) return
	const { db } = context
	const admin = await ensureUser(context, DEMO_ADMIN)
	const user = await ensureUser(context, DEMO_USER)
	const owner = user.ownerId
	await saveCredentials(context, String(user.id), credentials)
	await syncTemplates(context, owner)
	await storeHeaderFile(context, owner)
	const recharge = (payment: { reference: string; amountPaise: number; notes: string }) =>
		transaction(db, (sql) => postRecharge(sql, owner, { ...payment, adminId: admin.id, issuer: issuerOf(context.env) }))
	await recharge({ reference: 'recharge:demo-1', amountPaise: 500_000, notes: 'Paid by bank transfer' })
	await createContacts(context, owner)
	await createHistory(context, owner)
	await recharge({ reference: 'recharge:demo-2', amountPaise: 250_000, notes: 'UPI' })
	writeFileSync(marker, `${new Date().toISOString()}\n`)
}

async function ensureUser(context: AppContext, person: typeof DEMO_ADMIN | typeof DEMO_USER): Promise<Member> {
	const [known] = await context.db<Member[]>`
		select id, account_id as "ownerId", name, email, role, is_active as "isActive"
		from users where email = ${person.email} and deleted_at is null
	`
	return known ?? createUser(context, { ...person, isActive: true })
}

/** Stores the header image of the festive template, which each of its campaigns sends. */
async function storeHeaderFile({ db, storage }: AppContext, owner: OwnerId): Promise<void> {
	const key = `${owner}/headers/festive-sale.jpg`
	await storage.put(key, await readFile(new URL('festive-sale.jpg', import.meta.url)))
	await db`
		update templates set header_file = ${key} where account_id = ${owner} and name = 'festive_saree_sale'
	`
}

async function createContacts({ db }: AppContext, owner: OwnerId): Promise<void> {
	const [known] = await db`select 1 from contacts where account_id = ${owner} limit 1`
	if (known) return
	const ids: number[] = []
	for (const { name, description, size } of GROUPS) {
		const group = await createGroup(db, owner, { name, description, type: 'national' })
		for (let i = 0; i < size; i++) ids.push(group.id)
	}
	await insertContacts(
		db,
		owner,
		demoPeople(CONTACT_COUNT, (index) => ids[(index * 7 + 300) % CONTACT_COUNT] ?? null),
	)
	await db`
		update contacts set opted_out_at = now() - interval '6 days', opted_out_because = 'reply'
		where account_id = ${owner} and id % 41 = 0
	`
}
