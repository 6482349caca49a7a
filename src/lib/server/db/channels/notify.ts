import type { AccountId, Sql } from '#lib/server/db.ts'

export interface NewNotification {
	text: string
	/** Path within the product that a click opens. */
	link?: string | undefined
	/** True to also push the notification to the devices that the account's users registered. */
	isPushed?: boolean
}

/** Notifies an account's users, in the caller's transaction. */
export type Notify = (sql: Sql, accountId: AccountId, notification: NewNotification) => Promise<void>
