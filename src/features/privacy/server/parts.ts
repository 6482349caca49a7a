import type { Readable } from 'node:stream'
import type { ErasedPerson } from '#lib/phone/phone.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import type { HeldCounts } from '../contract.ts'

/** A feature's records about a person. */
export interface PersonFacts {
	counts: Partial<HeldCounts>
	contactName?: string | null
	/** WhatsApp profile name. */
	profileName?: string | null
	consent?: { source: string; words: string; agreedOn: string } | null
	isOptedOut?: boolean
	/** True when the person was erased before. */
	isErased?: boolean
}

type AboutPerson<Result> = (sql: Sql, accountId: AccountId, names: readonly string[]) => Result

/** A feature's part of the data about one person, under all numbers and ids of the person. */
export interface PersonPart {
	find?: AboutPerson<Promise<PersonFacts>>
	/** Returns the first properties of the person's JSON file. */
	describe?: AboutPerson<Promise<object>>
	/** Arrays of the person's JSON file, by property; each is read in batches. */
	lists?: Readonly<Record<string, AboutPerson<AsyncIterable<readonly object[]>>>>
	/** Erases the part in the caller's transaction. Returns the counts of what it erased. */
	erase(sql: Sql, accountId: AccountId, person: ErasedPerson): Promise<Partial<HeldCounts>>
}

/** A deleted user whose account is to be erased. */
export interface DeletedUser {
	id: number
	accountId: AccountId
	name: string
	deletedAt: Date
}

export type Row = Record<string, unknown>

/** Files of an account's export whose content belongs to a feature. */
interface AccountExports {
	contacts(db: Db, accountId: AccountId): Readable
	statement(db: Db, accountId: AccountId): Readable
	campaignMessages(db: Db, accountId: AccountId, campaignId: string): Readable
	chatMessages: {
		columns: readonly string[]
		/** Returns rows after an id, each with its id as `key` and the storage key of its file as `file`. */
		list(
			sql: Sql,
			accountId: AccountId,
			page: { after: number; limit: number },
		): Promise<(Row & { key: number; file: string | null })[]>
	}
}

/** Steps of the erasure of an account. */
interface AccountErasure {
	/** Returns the first `limit` deleted users whose retention of `days` has ended. */
	listDue(db: Db, wanted: { days: number; limit: number }): Promise<DeletedUser[]>
	/** Functions that finalize the books, in this order. Each returns the reason why the erasure must wait, or null. */
	settle: readonly ((db: Db, accountId: AccountId) => Promise<string | null>)[]
	/**
	 * Functions that erase texts from up to `limit` rows which stay for the ledger. Each returns the number of rows; 0 when none
	 * are left.
	 */
	erase: readonly ((db: Db, user: DeletedUser, limit: number) => Promise<number>)[]
	/** Marks the user as erased. */
	finish(db: Db, user: DeletedUser): Promise<void>
}

/** Data about people, in the features that hold it. `src/app` implements it, and may read all features. */
export interface PersonalData {
	/** Functions that return further numbers and ids of a person. Each receives the names that earlier functions returned. */
	names: readonly AboutPerson<Promise<string[]>>[]
	/** Parts in the order in which other transactions lock their tables. */
	persons: readonly PersonPart[]
	exports: AccountExports
	erasure: AccountErasure
}
