import { findDeletedMember, findMember } from '#features/auth/server/queries.ts'
import { createProveAgain } from '#features/auth/server/second-factor/prove-again.ts'
import { actorOf, recordAdminAction, recordDownload, recordWork } from '#features/auth/server/service.ts'
import { problem } from '#features/privacy/problems.ts'
import { indianDay } from '#lib/dates.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { FairSemaphore } from '#lib/server/fair-semaphore.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import { privacy } from '../contract.ts'
import { exportAccount } from './account/export-account.ts'
import { exportPerson } from './export.ts'
import { findHeld, findPerson } from './person.ts'
import { countRequests, listRequests } from './queries.ts'
import { eraseRecipient, noteRequest, type PrivacyContext } from './service.ts'

const RETRY_SECONDS = 60

export function privacyRoutes(http: Http, context: PrivacyContext & { storage: AccountStorage }): void {
	const { db } = context
	const downloads = new FairSemaphore({
		each: 1,
		refusal: () => problem('data_download_running', { waitSeconds: RETRY_SECONDS }),
	})
	const proveAgain = createProveAgain(context)

	async function download(accountId: AccountId, userId: number, record: () => Promise<void>) {
		const end = downloads.beginNow(accountId)
		try {
			await record()
			const content = exportAccount(context, accountId)
			content.once('close', end)
			return { filename: `all_data_${userId}_${indianDay(Date.now())}.zip`, content }
		} catch (error) {
			end()
			throw error
		}
	}

	personRoutes(http, context)

	mount(http, privacy.account, async (call) => {
		const { userId, accountId } = call.session
		if (call.params.userId !== String(userId))
			throw call.session.role === 'admin' ? problem('data_of_owner') : notFound('User')
		return download(accountId, userId, () =>
			recordAdminAction(db, actorOf(call), { action: 'data-downloaded', subjectId: userId }),
		)
	})

	mount(http, privacy.deletedAccount, async (call) => {
		const userId = Number(call.params.userId)
		const deleted = await findDeletedMember(db, userId)
		if (!deleted) throw (await findMember(db, userId)) ? problem('data_of_owner') : notFound('User')
		await proveAgain(call.session.userId, call.body)
		return download(deleted.accountId, userId, () =>
			transaction(db, (sql) => recordDownload(sql, actorOf(call), deleted)),
		)
	})

	mount(http, privacy.requests, async ({ query, session: { accountId } }) => {
		const { rows, ...place } = await readPage(query, listRequests(db, accountId, query), countRequests(db, accountId))
		return { requests: rows.map(({ id, ...request }) => ({ ...request, _id: id })), ...place }
	})
}

function personRoutes(http: Http, context: PrivacyContext): void {
	mount(http, privacy.person, async ({ query, session: { accountId } }) => {
		const person = await findPerson(context, accountId, { typed: query.number })
		const held = await findHeld(context, accountId, person)
		return {
			number: person.key,
			name: held.contactName ?? held.profileName ?? null,
			counts: held.counts,
			consent: held.consent ?? null,
			isOptedOut: held.isOptedOut ?? false,
			isErased: held.isErased ?? false,
		}
	})

	mount(http, privacy.download, async ({ query, session: { accountId, userId } }) => {
		const person = await findPerson(context, accountId, { typed: query.number })
		const { counts, profileName = null } = await findHeld(context, accountId, person)
		await noteRequest(context, accountId, { kind: 'download', key: person.key, userId, counts })
		await recordWork(context.db, accountId, { by: userId, action: 'person-downloaded' })
		const content = exportPerson(context, accountId, { ...person, profileName })
		return { filename: `data_of_${person.key}.json`, content }
	})

	mount(http, privacy.erase, async ({ body, session: { accountId, userId } }) => {
		const counts = await eraseRecipient(context, accountId, { ...body, userId })
		return { message: 'This person was erased', counts }
	})
}
