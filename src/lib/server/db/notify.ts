import type { AccountId, Sql } from '../db.ts'

export interface NewNotification {
	text: string
	/** Where a click on it leads: an address within the product. */
	link?: string | undefined
	/** Whether the devices that the account's users have switched on show it too. */
	isPushed?: boolean
}

/** Puts a notification before an account's users, in the caller's transaction. */
export type Notify = (sql: Sql, accountId: AccountId, notification: NewNotification) => Promise<void>
