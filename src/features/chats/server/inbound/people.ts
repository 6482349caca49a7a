import { cleanName } from '#features/contacts/rules.ts'
import { joinContacts } from '#features/contacts/server/contacts/join.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { listErased } from '#features/contacts/server/erasure/erased.ts'
import { insertFormerId, listFormerIds } from '#features/contacts/server/whatsapp-id-queries.ts'
import { isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { joinChat, updateUserId } from '../join-chat-queries.ts'
import { listChatsWithKeys } from './inbound-queries.ts'
import { findKnownChats } from './known-chats.ts'
import type { Inbound, InboundMessage, PersonChange, SharedNumber } from './message-reader.ts'

/**
 * Joins what is stored about people under two keys: after a change of number or user id, when a customer sent their number on
 * request, and when one message names a number and the user id of another chat. Runs after the batch is stored.
 */
export async function joinPeople(
	sql: Sql,
	accountId: AccountId,
	{ inbound, fresh }: { inbound: Inbound; fresh: readonly InboundMessage[] },
): Promise<void> {
	const isFresh = new Set(fresh.map(({ wamid }) => wamid))
	const userIds = inbound.writers.flatMap(({ userId }) => userId ?? [])
	const hidden = await listChatsWithKeys(sql, accountId, userIds)
	for (const { chat, userId } of inbound.writers)
		if (userId && !isUserId(chat) && hidden.delete(userId))
			await joinPerson(sql, accountId, { from: userId, into: chat, userId })
	for (const shared of inbound.shared) if (isFresh.has(shared.wamid)) await applyShared(sql, accountId, shared)
	const changes = inbound.changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())
	for (const change of changes) if (isFresh.has(change.wamid)) await applyChange(sql, accountId, change)
}

interface TwoKeys {
	from: string
	into: string
	/** User id that the joined chat gets; null to keep the known one. */
	userId: string | null
	/** Time of a change of number; null when both keys are the person's at present. */
	until?: Date | null
}

/** Moves chat, contact and opt-out of a key to another key of the same person. When both exist they are merged. */
async function joinPerson(
	sql: Sql,
	accountId: AccountId,
	{ from, into, userId, until = null }: TwoKeys,
): Promise<void> {
	await joinChat(sql, accountId, { from, into, until })
	if (userId !== null) await updateUserId(sql, accountId, { key: into, userId })
	await joinContacts(sql, accountId, { from, into })
	for (const id of [from, into]) announceLive(sql, accountId, { kind: 'chat', id })
}

/** Makes the customer who sent their own number on request a contact, and their chat one of the number. */
async function applyShared(sql: Sql, accountId: AccountId, { from, number, name }: SharedNumber): Promise<void> {
	if (!isUserId(from) && from !== number) return
	if (isUserId(from)) {
		const chat = (await findKnownChats(sql, accountId, [from])).get(from) ?? from
		for (const key of new Set([chat, from]))
			if (key !== number) await joinPerson(sql, accountId, { from: key, into: number, userId: from })
	}
	const firstName = cleanName(name ?? '') || number
	await insertContacts(sql, accountId, [{ firstName, lastName: null, number, groupId: null }])
}

/**
 * Applies a change of number or user id once. Changes arrive in any order: one whose result has changed again since leads to
 * the person's present number or id.
 */
async function applyChange(sql: Sql, accountId: AccountId, change: PersonChange): Promise<void> {
	const { at, userId } = change
	const known = await findKnownChats(sql, accountId, change.from)
	const keys = [...new Set(change.from.flatMap((id) => [id, known.get(id) ?? id]))]
	const made = await listFormerIds(sql, accountId, [...keys, change.into])
	const later = made.filter(({ changedAt }) => changedAt >= at)
	const into = later.find(({ id }) => id === change.into)?.nowId ?? change.into
	const isApplied = new Set(later.map(({ id }) => id))
	const erased = await listErased(sql, accountId, [...keys, into])
	const isPresent = into === change.into
	for (const from of keys) {
		if (from === into || isApplied.has(from) || erased.has(from) || erased.has(into)) continue
		const until = isUserId(from) ? null : at
		await joinPerson(sql, accountId, { from, into, userId: isPresent ? userId : null, until })
		await insertFormerId(sql, accountId, { id: from, nowId: into, changedAt: at })
	}
	if (isPresent && userId !== null) await updateUserId(sql, accountId, { key: into, userId })
}
