import { openSession } from '#features/auth/server/sessions/sessions.ts'
import type { Db, AccountId } from '#lib/server/db.ts'

const FIRST =
	'Asha Rahul Priya Amit Sneha Vikram Anjali Rohan Kavita Suresh Meera Arjun Pooja Nikhil Divya अमिता'.split(' ')
const LAST = 'Rao Sharma Patel Kumar Iyer Gupta Nair Shah Reddy Das Mehta Joshi Kulkarni Menon Bose Verma Singh'.split(
	' ',
)
const MOBILES = 999_999_937

/** Returns the contact of an index, always the same. Its phone numbers are distributed like real ones. */
export function sampleContact(index: number): { firstName: string; lastName: string; number: string } {
	const mixed = (index * 7919 * 13) % MOBILES
	return {
		firstName: `${FIRST[mixed % FIRST.length]}`,
		lastName: `${LAST[Math.floor(mixed / 16) % LAST.length]}${index % 4 === 0 ? ` ${mixed.toString(36)}` : ''}`,
		number: `91${9_000_000_000 + mixed}`,
	}
}

let made = 0

export async function openAccount(db: Db): Promise<{ token: string; accountId: AccountId }> {
	const [account] = await db<{ id: AccountId }[]>`insert into accounts default values returning id`
	const email = `bench-${++made}@example.test`
	const [user] = await db<{ id: number }[]>`
		insert into users (account_id, name, email, password_hash, role)
		values (${account?.id ?? 0}, 'Bench', ${email}, 'none', 'user') returning id
	`
	if (!account || !user) throw new Error('the account did not come back')
	const token = await openSession(db, user.id, { remember: true, userAgent: 'bench', ip: '127.0.0.1' })
	return { token, accountId: account.id }
}
