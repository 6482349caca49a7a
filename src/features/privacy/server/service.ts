import { eraseFromCampaigns } from '#features/campaigns/server/person/erase.ts'
import { removeMediaJob } from '#features/chats/server/media/remove-media.ts'
import { deleteChats } from '#features/chats/server/person-queries.ts'
import { deleteContacts } from '#features/contacts/server/contacts/change-queries.ts'
import { deleteUnusedConsents } from '#features/contacts/server/contacts/consent-queries.ts'
import {
	deleteWhatsappIds,
	insertErased,
	markKeyUsed,
	renameOptOuts,
} from '#features/contacts/server/erasure/erased-queries.ts'
import { ensureKey, erasedForm } from '#features/contacts/server/erasure/erased.ts'
import { eraseEvents } from '#features/events/server/service.ts'
import { deleteMentioning } from '#features/notifications/server/queries.ts'
import { eraseFromDeliveries } from '#features/whatsapp/server/webhooks/erase-deliveries.ts'
import { displayNumber } from '#lib/phone.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { addJobs, handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { HeldCounts } from '../contract.ts'
import { findHeld, findPerson } from './person.ts'
import * as queries from './queries.ts'

export interface PrivacyContext {
	db: Db
	vault: Vault
}

/**
 * Seconds between the two passes of an erasure. The first does not see campaigns that are being created and answers to messages
 * in flight; both take less time than this.
 */
const AGAIN_AFTER_SECONDS = 180

/**
 * Second pass of an erasure, under every name that the first pass found, since the first deletes the rows that connect the
 * names. Number and names are encrypted, because the database must not contain them any longer. Jobs of the release before have
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
			const { counts } = await erase(sql, accountId, { typed: decrypt(sealed), known, vault })
			await queries.addCounts(sql, accountId, { id: request, counts })
		})
	}),
]

/**
 * Erases a person from the account: contact, chats with their files, and all other mentions. Campaign messages remain for the
 * ledger, without number, name and values, and a hash of the number keeps the person opted out.
 */
export async function eraseRecipient(
	{ db, vault }: PrivacyContext,
	accountId: AccountId,
	{ number, userId }: { number: string; userId: number },
): Promise<HeldCounts> {
	const { key } = await findPerson(db, accountId, { typed: number })
	return retriedTransaction(db, async (sql) => {
		const { counts, names } = await erase(sql, accountId, { typed: key, vault })
		const request = await noteRequest({ db: sql, vault }, accountId, { kind: 'erasure', key, userId, counts })
		const encrypt = (text: string) => vault.encrypt(accountId, text).toString('base64')
		await addJobs(sql, eraseAgainJob, [
			{ accountId, sealed: encrypt(key), names: encrypt(JSON.stringify(names)), request },
		])
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

/** Runs one pass in the order in which other transactions lock these tables. Returns the counts and all names of the person. */
async function erase(
	sql: Sql,
	accountId: AccountId,
	{ typed, known = [], vault }: { typed: string; known?: readonly string[]; vault: Vault },
): Promise<{ counts: HeldCounts; names: string[] }> {
	const hashKey = await ensureKey(sql, accountId, vault)
	const formOf = (text: string) => erasedForm(hashKey, text)
	const { names } = await findPerson(sql, accountId, { typed, known })
	const person = { names, formOf }
	await markKeyUsed(sql, accountId)
	await eraseFromDeliveries(sql, accountId, person)
	await eraseEvents(sql, accountId, names)
	const { counts, contactIds, consentIds, files } = await findHeld(sql, accountId, { key: typed, names })
	await deleteChats(sql, accountId, names)
	if (files.length > 0) await addJobs(sql, removeMediaJob, [{ accountId, keys: files }])
	await renameOptOuts(
		sql,
		accountId,
		names.map((name) => ({ from: name, to: formOf(name) })),
	)
	await insertErased(sql, accountId, names.map(formOf))
	await deleteContacts(sql, accountId, contactIds)
	await deleteUnusedConsents(sql, accountId, { ids: consentIds, limit: consentIds.length })
	await deleteWhatsappIds(sql, accountId, names)
	await eraseFromCampaigns(sql, accountId, person)
	await deleteMentioning(
		sql,
		accountId,
		names.flatMap((name) => [name, displayNumber(name)]),
	)
	for (const id of names) announceLive(sql, accountId, { kind: 'chat', id })
	return { counts, names }
}
