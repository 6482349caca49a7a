import { cleanName } from '#features/contacts/rules.ts'
import { joinContacts, type SamePerson } from '#features/contacts/server/contacts/join.ts'
import { insertContacts, type NewContact } from '#features/contacts/server/contacts/queries.ts'
import { listErased } from '#features/contacts/server/erasure/erased.ts'
import { applyOptOuts, type OptOutStatement } from '#features/contacts/server/opt-outs/opt-outs.ts'
import {
	insertFormerId,
	listFormerIds,
	listIdsBefore,
	redirectFormerIds,
} from '#features/contacts/server/whatsapp-id-queries.ts'
import { followNumbers } from '#features/delivery/server/service.ts'
import { isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { joinChat, listWrittenSince, lockChats, updateUserId } from '../join-chat-queries.ts'
import { updateChats } from './chat-lines.ts'
import { listChatsWithKeys } from './inbound-queries.ts'
import { findKnownChats } from './known-chats.ts'
import type { Inbound, InboundMessage, PersonChange, SharedNumber } from './message-reader.ts'

/** Contacts to join and to add after the chats of a batch are joined. */
export interface JoinedPeople {
	same: SamePerson[]
	shared: NewContact[]
	/** Former numbers of people who have another one now. */
	formerNumbers: string[]
}

/**
 * Locks the chats that `joinChatsOfPeople` may join, in the order of their keys. Call before the batch locks other chats, so that
 * every transaction locks chats in one order.
 */
export async function lockPeople(
	sql: Sql,
	accountId: AccountId,
	{ changes, shared, writers, messages, marks }: Inbound,
): Promise<void> {
	const hidden = writers.flatMap(({ chat, userId }) => (userId && !isUserId(chat) ? [userId] : []))
	const named = [
		...(await listChatsWithKeys(sql, accountId, hidden)),
		...changes.flatMap(({ from, into }) => [...from, into]),
		...shared.flatMap(({ from, number }) => [from, number]),
	]
	if (named.length === 0) return
	const known = await findKnownChats(sql, accountId, named)
	const ids = [...named, ...known.values()]
	const present = (await listFormerIds(sql, accountId, ids)).map(({ nowId }) => nowId)
	const others = [...messages, ...marks, ...writers].map(({ chat }) => chat)
	await lockChats(sql, accountId, [...new Set([...ids, ...present, ...others])])
}

/**
 * Joins the two chats of each person who has chats under two keys: after a change of number or user id, after a customer sent
 * their number on request, and when one message names a number and the user id of another chat. Returns the contacts to join
 * and to add. Call after the batch is stored.
 */
export async function joinChatsOfPeople(
	sql: Sql,
	accountId: AccountId,
	{ inbound, fresh }: { inbound: Inbound; fresh: readonly InboundMessage[] },
): Promise<JoinedPeople> {
	const freshWamids = new Set(fresh.map(({ wamid }) => wamid))
	const people: JoinedPeople = { same: [], shared: [], formerNumbers: [] }
	const join = (keys: TwoKeys) => joinPerson(sql, accountId, { people, keys })
	const userIds = inbound.writers.flatMap(({ userId }) => userId ?? [])
	// Reads the chats again: since `lockPeople`, a send or this batch can have created a chat under a user id.
	const hidden = await listChatsWithKeys(sql, accountId, userIds)
	for (const { chat, userId } of inbound.writers)
		if (userId && !isUserId(chat) && hidden.delete(userId)) await join({ from: userId, into: chat, userId })
	for (const shared of inbound.shared)
		if (freshWamids.has(shared.wamid)) {
			for (const keys of await keysOfShared(sql, accountId, shared)) await join(keys)
			people.shared.push(...contactOf(shared))
		}
	const changes = inbound.changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())
	for (const change of changes) if (freshWamids.has(change.wamid)) await applyChange(sql, accountId, { people, change })
	return people
}

/**
 * Applies the opt-outs of a batch, joins the contacts in `same` with their opt-outs, adds the contacts in `shared`, and writes
 * present numbers to pending messages. Returns the opt-outs that changed a contact.
 */
export async function joinContactsOfPeople(
	sql: Sql,
	accountId: AccountId,
	{ same, shared, formerNumbers, said }: JoinedPeople & { said: readonly OptOutStatement[] },
): Promise<OptOutStatement[]> {
	const changed =
		same.length > 0
			? (await joinContacts(sql, accountId, { people: same, said })).changed
			: await applyOptOuts(sql, accountId, said)
	if (shared.length > 0) await insertContacts(sql, accountId, shared)
	await followNumbers(sql, accountId, formerNumbers)
	return changed
}

interface TwoKeys {
	from: string
	into: string
	/** User id that the joined chat gets; null to keep the known one. */
	userId: string | null
	/** Time of a change of number; null when both keys are the person's at present. */
	until?: Date | null
	/** Time since which `from` is this person's; null when no earlier owner is known. */
	since?: Date | null
	/** Time of a change of number or user id; null when both keys are the person's at present. */
	changedAt?: Date | null
}

/**
 * Moves the chat of a key to another key of the same person, merges both chats when they exist, and adds the contacts to join
 * to `people`. When a person who hid the number shows a number again, the contact of the last known number is joined too.
 */
async function joinPerson(
	sql: Sql,
	accountId: AccountId,
	{
		people,
		keys: { from, into, userId, until = null, since = null, changedAt = null },
	}: { people: JoinedPeople; keys: TwoKeys },
): Promise<void> {
	const hasNextOwner = await joinChat(sql, accountId, { from, into, until })
	if (hasNextOwner) await updateChats(sql, accountId, { keys: [from, into] })
	if (userId !== null) await updateUserId(sql, accountId, { key: into, userId })
	people.same.push({ from, into, until: hasNextOwner ? until : null, since, changedAt })
	if (isUserId(from) && !isUserId(into)) await followLastNumber(sql, accountId, { people, from, into })
	for (const id of [from, into]) announceLive(sql, accountId, { kind: 'chat', id })
}

/**
 * Adds the contact of the last number of a person who hid it to `people`, to be joined to the new number, and points the
 * person's former ids to the new number.
 */
async function followLastNumber(
	sql: Sql,
	accountId: AccountId,
	{ people, from, into }: { people: JoinedPeople; from: string; into: string },
): Promise<void> {
	const before = (await listIdsBefore(sql, accountId, [from])).map(({ same }) => same)
	const numbers = before.filter((id) => !isUserId(id) && id !== into)
	const changes = await listFormerIds(sql, accountId, numbers)
	const written = await listWrittenSince(
		sql,
		accountId,
		changes.map(({ id, changedAt }) => ({ key: id, at: changedAt })),
	)
	for (const { id, changedAt } of changes)
		people.same.push({ from: id, into, until: written.has(id) ? changedAt : null })
	people.formerNumbers.push(...numbers)
	await redirectFormerIds(sql, accountId, { from, into })
}

/** Returns the chats of a customer who sent their own number on request, to join with the chat of the number. */
async function keysOfShared(sql: Sql, accountId: AccountId, { from, number }: SharedNumber): Promise<TwoKeys[]> {
	if (!isUserId(from)) return []
	const chat = (await findKnownChats(sql, accountId, [from])).get(from) ?? from
	const keys = [...new Set([chat, from])].filter((key) => key !== number)
	return keys.map((key) => ({ from: key, into: number, userId: from }))
}

/** Returns the contact of a customer who sent their own number; none for a card of another number. */
function contactOf({ from, number, name }: SharedNumber): NewContact[] {
	if (!isUserId(from) && from !== number) return []
	return [{ firstName: cleanName(name ?? '') || number, lastName: null, number, groupId: null }]
}

/**
 * Applies a change of number or user id once. Changes arrive in any order: when a later change has replaced the number or id
 * that this change names, joins the chats under the person's present number or id.
 */
async function applyChange(
	sql: Sql,
	accountId: AccountId,
	{ people, change }: { people: JoinedPeople; change: PersonChange },
): Promise<void> {
	const { at, userId } = change
	const known = await findKnownChats(sql, accountId, change.from)
	const keys = [...new Set(change.from.flatMap((id) => [id, known.get(id) ?? id]))]
	const made = await listFormerIds(sql, accountId, [...keys, change.into])
	const later = made.filter(({ changedAt }) => changedAt >= at)
	const into = later.find(({ id }) => id === change.into)?.nowId ?? change.into
	const changedIds = new Set(later.map(({ id }) => id))
	const erased = await listErased(sql, accountId, [...keys, into])
	const isPresent = into === change.into
	for (const from of keys) {
		if (from === into || changedIds.has(from) || erased.has(from) || erased.has(into)) continue
		const until = isUserId(from) ? null : at
		const since = made.find(({ id }) => id === from)?.changedAt ?? null
		const two = { from, into, userId: isPresent ? userId : null, until, since, changedAt: at }
		await joinPerson(sql, accountId, { people, keys: two })
		await insertFormerId(sql, accountId, { id: from, nowId: into, changedAt: at })
		if (!isUserId(from) && !isUserId(into)) people.formerNumbers.push(from)
	}
	if (isPresent && userId !== null) await updateUserId(sql, accountId, { key: into, userId })
}
