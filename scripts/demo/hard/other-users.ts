import type { AppContext } from '#app/server/context.ts'
import type { AdminActionKind } from '#features/auth/contract.ts'
import type { Member } from '#features/auth/server/queries.ts'
import { recordAdminAction } from '#features/auth/server/service.ts'
import { issuerOf, postRecharge } from '#features/wallet/server/service.ts'
import { saveCredentials } from '#features/whatsapp/server/credentials.ts'
import { stopSender } from '#features/whatsapp/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { ensureUser } from '../other-accounts.ts'
import { HARD_NAMES, LONG_ERROR, ofLength, unbroken } from './texts.ts'

/** Number of users: more than two pages of the admin's tables. */
const USERS = 24
const BALANCES_PAISE = [0, 1, 12_345_678_950, 99_999, 1_000_000_000]
const NOTES = [ofLength('Paid by bank transfer, see ', 500), unbroken(500), ofLength('பணம் பெறப்பட்டது ', 300), '']

/**
 * Creates users for the admin's screens: with hard names and addresses, with no money and with very much, stopped and inactive.
 */
export async function createHardUsers(
	context: AppContext,
	{ control }: Pick<Simulator, 'control'>,
	admin: Member,
): Promise<void> {
	const { db } = context
	for (let index = 0; index < USERS; index++) {
		const user = await createHardUser(context, admin, index)
		if (index % 6 === 1) {
			await saveCredentials(context, String(user.id), await control.createAccount({ name: user.name }))
			await stopSender(db, user.accountId, { user: LONG_ERROR, admin: LONG_ERROR })
		}
		if (index % 6 === 2) await db`update users set is_active = false where id = ${user.id}`
	}
}

async function createHardUser(context: AppContext, admin: Member, index: number): Promise<Member> {
	const { db, env } = context
	const name = HARD_NAMES[index % HARD_NAMES.length] ?? ''
	const email = index % 2 === 0 ? `${unbroken(50)}.${index}@example.com` : `hard${index}@${unbroken(60)}.example`
	const user = await ensureUser(context, { name, email: email.toLowerCase(), password: 'demo1234', role: 'user' })
	const balance = BALANCES_PAISE[index % BALANCES_PAISE.length] ?? 0
	for (const [part, amountPaise] of recharges(balance).entries()) {
		const payment = { reference: `recharge:hard-${part}`, amountPaise, adminId: admin.id, issuer: issuerOf(env) }
		await transaction(db, (sql) =>
			postRecharge(sql, user.accountId, { ...payment, notes: NOTES[index % NOTES.length] || undefined }),
		)
	}
	await recordAction(context, { adminId: admin.id, subjectId: user.id, index })
	return user
}

/** Splits an amount into recharges of at most ten crore rupees. */
function recharges(balance: number): number[] {
	const most = 10_000_000_000
	return balance > most ? [most, balance - most] : balance > 0 ? [balance] : []
}

const ACTIONS: [AdminActionKind, string | null][] = [
	['user-created', 'role: user'],
	[
		'user-edited',
		`name ${HARD_NAMES[0]} → ${HARD_NAMES[3]}, e-mail ${unbroken(80)}@example.com → ${unbroken(60)}@example.org`,
	],
	['prices-changed', 'marketing ₹1.00, utility ₹0.30 → marketing ₹10,000.00, utility ₹10,000.00'],
	['credentials-saved', unbroken(300)],
	['recharge-added', '₹12,34,56,789.50'],
]

async function recordAction(
	{ db }: AppContext,
	{ adminId, subjectId, index }: { adminId: number; subjectId: number; index: number },
): Promise<void> {
	const [action, details] = ACTIONS[index % ACTIONS.length] ?? []
	if (!action) return
	const actor = { adminId, ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }
	await recordAdminAction(db, actor, { action, subjectId, ...(details && { details }) })
}
