import { recordWork } from '#features/auth/server/service.ts'
import { ensureKey, erasedForm, startErasure } from '#features/contacts/server/erasure/erased.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { addJobs, handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { HeldCounts } from '../contract.ts'
import type { PersonalData } from './parts.ts'
import { findPerson, sumOf } from './person.ts'
import * as queries from './queries.ts'

export interface PrivacyContext {
	db: Db
	vault: Vault
	personalData: PersonalData
}

/**
 * Seconds between the two passes of an erasure. The first does not see campaigns that are being created and answers to messages
 * in flight; both take less time than this.
 */
const AGAIN_AFTER_SECONDS = 180

/**
 * Second pass of an erasure, under every name that the first pass found, since the first deletes the rows that connect the
 * names. Number and names are encrypted, because the database must not contain them any longer. Jobs of the previous release have
 * no `names`. `sealed` is the encrypted number; waiting jobs have that name.
 */
const eraseAgainJob = jobKind<{ accountId: AccountId; sealed: string; names?: string; request: number }>(
	'erase-again',
	{
		afterSeconds: AGAIN_AFTER_SECONDS,
	},
)

export const erasureHandlers = (context: PrivacyContext) => [
	handlerOf(eraseAgainJob, async ({ data: { accountId, sealed, names, request } }) => {
		const { vault } = context
		const decrypt = (text: string) => vault.decrypt(accountId, Buffer.from(text, 'base64'))
		const known = names === undefined ? [] : (JSON.parse(decrypt(names)) as string[])
		await retriedTransaction(context.db, async (sql) => {
			const { counts } = await erase({ ...context, db: sql }, accountId, { typed: decrypt(sealed), known })
			await queries.addCounts(sql, accountId, { id: request, counts })
		})
	}),
]

/**
 * Erases a person from the account: contact, chats with their files, and all other mentions. Campaign messages remain for the
 * ledger, without number, name and values, and a hash of the number keeps the person opted out.
 */
export async function eraseRecipient(
	context: PrivacyContext,
	accountId: AccountId,
	{ number, userId }: { number: string; userId: number },
): Promise<HeldCounts> {
	const { vault } = context
	const { key } = await findPerson(context, accountId, { typed: number })
	return retriedTransaction(context.db, async (sql) => {
		const { counts, names } = await erase({ ...context, db: sql }, accountId, { typed: key })
		const request = await noteRequest({ db: sql, vault }, accountId, { kind: 'erasure', key, userId, counts })
		const encrypt = (text: string) => vault.encrypt(accountId, text).toString('base64')
		await addJobs(sql, eraseAgainJob, [
			{ accountId, sealed: encrypt(key), names: encrypt(JSON.stringify(names)), request },
		])
		await recordWork(sql, accountId, { by: userId, action: 'person-erased' })
		return counts
	})
}

export async function noteRequest(
	{ db, vault }: { db: Sql; vault: Vault },
	accountId: AccountId,
	{ key, ...request }: Omit<queries.NewRequest, 'hash'> & { key: string },
): Promise<number> {
	const hash = erasedForm(await ensureKey(db, accountId, vault), key)
	return queries.insertRequest(db, accountId, { ...request, hash })
}

/** Runs one pass. Returns the counts and all names of the person. */
async function erase(
	context: Omit<PrivacyContext, 'db'> & { db: Sql },
	accountId: AccountId,
	person: { typed: string; known?: readonly string[] },
): Promise<{ counts: HeldCounts; names: string[] }> {
	const { db, vault, personalData } = context
	const formOf = await startErasure(db, accountId, vault)
	const { names } = await findPerson(context, accountId, person)
	const counts: Partial<HeldCounts>[] = []
	for (const part of personalData.persons) counts.push(await part.erase(db, accountId, { names, formOf }))
	return { counts: sumOf(counts), names }
}
