import { eraseFromControlGroups } from '#features/audiences/server/control-group-queries.ts'
import { exportControlGroupsOf, exportMessagesTo, findMessagesTo } from '#features/audiences/server/person/person.ts'
import { eraseUser, markErased } from '#features/auth/server/retention/erasure-queries.ts'
import { exportMessages } from '#features/campaigns/server/report/export.ts'
import { releaseHolds } from '#features/chats/server/charges/charges.ts'
import { listChangedIdsOf, listChatIdentities } from '#features/chats/server/person/person-queries.ts'
import {
	CHAT_MESSAGE_COLUMNS,
	eraseChatsOf,
	exportMessagesOf,
	findChatFacts,
	listMessageRows,
} from '#features/chats/server/person/person.ts'
import { filterOf } from '#features/contacts/server/contacts/contact-filter.ts'
import { exportContacts } from '#features/contacts/server/contacts/export.ts'
import {
	eraseContactsOf,
	eraseFormerIdsOf,
	exportContactsOf,
	findContactsOf,
	listFormsOf,
} from '#features/contacts/server/person/person.ts'
import { eraseNotesOf, exportNotesOf, findNotesOf } from '#features/customers/server/service.ts'
import { eraseMessagesTo } from '#features/delivery/server/message/erase.ts'
import { eraseFinalized } from '#features/delivery/server/months/month-queries.ts'
import { finalizeCampaigns } from '#features/delivery/server/months/months.ts'
import { cancelAllCampaigns } from '#features/delivery/server/service.ts'
import { eraseEvents } from '#features/events/server/service.ts'
import { eraseFilesOf } from '#features/header-files/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { deleteMentioning } from '#features/notifications/server/queries.ts'
import type { DeletedUser, PersonalData, PersonPart } from '#features/privacy/server/parts.ts'
import { exportStatement } from '#features/statements/server/export.ts'
import { listDueForErasure } from '#features/users/server/deleted-queries.ts'
import { eraseRecharges } from '#features/wallet/server/ledger.ts'
import { listAdminAccountsAllAccounts, sumWaiting } from '#features/wallet/server/refund-queries.ts'
import { eraseFromDeliveries } from '#features/whatsapp/server/webhooks/erase-deliveries.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { transaction, type AccountId, type Db } from '#lib/server/db.ts'

const persons: readonly PersonPart[] = [
	{
		async erase(sql, accountId, person) {
			await eraseFromDeliveries(sql, accountId, person)
			await eraseEvents(sql, accountId, person.names)
			return {}
		},
	},
	{ find: findChatFacts, lists: { chatMessages: exportMessagesOf }, erase: eraseChatsOf },
	{ find: findNotesOf, describe: exportNotesOf, erase: eraseNotesOf },
	{ find: findContactsOf, describe: exportContactsOf, erase: eraseContactsOf },
	{ erase: eraseFromControlGroups },
	{ erase: eraseFilesOf },
	{
		find: findMessagesTo,
		describe: exportControlGroupsOf,
		lists: { campaignMessages: exportMessagesTo },
		erase: eraseMessagesTo,
	},
	{
		async erase(sql, accountId, { names }) {
			const texts = names.flatMap((name) => [name, displayNumber(name)])
			await deleteMentioning(sql, accountId, texts)
			return {}
		},
	},
	{ erase: eraseFormerIdsOf },
]

async function cancelCampaigns(db: Db, accountId: AccountId): Promise<null> {
	await transaction(db, (sql) => cancelAllCampaigns(sql, accountId, 'The account was deleted by an administrator.'))
	return null
}

async function refundsWait(db: Db, accountId: AccountId): Promise<string | null> {
	return (await sumWaiting(db, accountId)) > 0 ? 'an admin has to decide on its refunds' : null
}

async function finalizeAll(db: Db, accountId: AccountId): Promise<string | null> {
	const unfinalized = await finalizeCampaigns(db, accountId, { firstId: 0, endId: Number.MAX_SAFE_INTEGER })
	return unfinalized && `campaign ${unfinalized.campaignId}: ${unfinalized.reason}`
}

/**
 * Deletes the admins' notifications about the refunds of a deleted user. Returns 0, because they are no rows of the
 * account.
 */
async function eraseFromAdmins(db: Db, { name }: DeletedUser): Promise<number> {
	const waiting = notificationOf.refundsWaiting({ name }).text
	for (const admin of await listAdminAccountsAllAccounts(db)) await deleteMentioning(db, admin, [waiting])
	return 0
}

/** Collects the exports and erasures of data about people from the features that hold it. */
export const personalData: PersonalData = {
	names: [listChangedIdsOf, listFormsOf, listChatIdentities],
	persons,
	exports: {
		contacts: (db, accountId) => exportContacts(db, accountId, filterOf('')),
		statement: (db, accountId) => exportStatement(db, accountId, {}),
		campaignMessages: (db, accountId, campaignId) => exportMessages(db, accountId, { campaignId, status: undefined }),
		chatMessages: { columns: CHAT_MESSAGE_COLUMNS, list: listMessageRows },
	},
	erasure: {
		listDue: listDueForErasure,
		settle: [cancelCampaigns, releaseHolds, refundsWait, finalizeAll],
		erase: [
			eraseFromAdmins,
			(db, { accountId }, limit) => eraseFinalized(db, accountId, limit),
			(db, { accountId }, limit) => eraseRecharges(db, accountId, limit),
			(db, { id }) => eraseUser(db, id),
		],
		finish: markErased,
	},
}
