import type { AppContext } from '#app/server/context.ts'
import type { AdminActionKind } from '#features/auth/contract.ts'
import type { Member } from '#features/auth/server/queries.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import type { Business } from './businesses.ts'
import { daysBefore } from './history.ts'

interface Entry {
	action: AdminActionKind
	subjectId: number
	details: string | null
	daysAgo: number
}

/**
 * Writes past actions of the demo's admin to the audit trail. Writes them once only, because entries of the trail cannot be
 * changed.
 */
export async function createAuditTrail(
	{ db }: AppContext,
	admin: Member,
	accounts: ReadonlyMap<Business, Member>,
): Promise<void> {
	const [known] = await db`select 1 from admin_actions limit 1`
	if (known) return
	const entries = [...accounts].flatMap(([business, { id }]) => entriesOf(business, id))
	for (const entry of entries.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
		await db`
			insert into admin_actions (
				actor_id, actor_name, actor_email, action, subject_id, subject_name, subject_email, details, ip, created_at
			)
			select ${admin.id}, ${admin.name}, ${admin.email}, ${entry.action}, id, name, email, ${entry.details}, '192.0.2.10',
				${daysBefore(entry.daysAgo)}
			from users
			where id = ${entry.subjectId}
		`
	}
}

function entriesOf(business: Business, subjectId: number): Entry[] {
	const { joinedDaysAgo, recharges, prices, deactivatedDaysAgo } = business
	const at = (daysAgo: number, action: AdminActionKind, details: string | null = null): Entry => ({
		action,
		subjectId,
		details,
		daysAgo,
	})
	return [
		at(joinedDaysAgo, 'user-created', 'role: user'),
		...(business.isNew ? [] : [at(joinedDaysAgo - 0.1, 'credentials-saved', 'access token changed')]),
		...recharges.map(({ daysAgo, amountPaise }) => at(daysAgo, 'recharge-added', rupees(amountPaise))),
		...(prices
			? [
					at(
						joinedDaysAgo - 1,
						'prices-changed',
						`marketing ${rupees(100)}, utility ${rupees(30)} → marketing ${rupees(prices.marketingPaise)}, utility ${rupees(prices.utilityPaise)}`,
					),
				]
			: []),
		...(deactivatedDaysAgo === undefined ? [] : [at(deactivatedDaysAgo, 'user-deactivated')]),
	]
}

function rupees(paise: number): string {
	return formatRupees(rupeesFromPaise(paise))
}
