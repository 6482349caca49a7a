import type { BrowserContextOptions, Page } from 'playwright-core'
import { roleOf, seatOf, workplaceOf } from '#features/auth/server/queries.ts'
import { openSession } from '#features/auth/server/sessions/sessions.ts'
import type { AccountId } from '#lib/server/db.ts'
import type { Product } from '#test/full-stack.ts'

export interface Person {
	name: string
	email: string
	userId: number
	accountId: AccountId
	/** Returns the storage state of a browser in which this person is signed in at this origin. */
	storedAt(origin: string): Exclude<BrowserContextOptions['storageState'], string | undefined>
}

/** Opens a session of an existing account. Throws if no account has this address. */
export async function openSessionOf({ process }: Product, email: string): Promise<Person> {
	const { db } = process.context
	const [row] = await db<{ id: number; accountId: AccountId; name: string; role: string; seat: string }[]>`
		select u.id, ${workplaceOf(db)} as "accountId", u.name, ${roleOf(db)} as role, ${seatOf(db)} as seat
		from users u where u.email = ${email} and u.deleted_at is null
	`
	if (!row) throw new Error(`no account has the address ${email}`)
	const { id, accountId, name, role, seat } = row
	const token = await openSession(db, id, { remember: false, userAgent: 'test', ip: '127.0.0.1' })
	const user = { _id: String(id), id: String(id), name, email, role, seat, isActive: true, walletBalance: 0 }
	const localStorage = [
		{ name: 'token', value: token },
		{ name: 'user', value: JSON.stringify(user) },
	]
	return {
		userId: id,
		name,
		email,
		accountId,
		storedAt: (origin) => ({ cookies: [], origins: [{ origin, localStorage }] }),
	}
}

export async function fillSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
	await page.getByRole('textbox', { name: 'Email' }).fill(email)
	await page.getByRole('textbox', { name: 'Password' }).fill(password)
	await page.getByRole('button', { name: 'Login' }).click()
}

/** Returns the local storage of the page's browser context. */
export async function localStorageOf(page: Page): Promise<Record<string, string>> {
	const { origins } = await page.context().storageState()
	return Object.fromEntries(origins.flatMap(({ localStorage }) => localStorage).map(({ name, value }) => [name, value]))
}
