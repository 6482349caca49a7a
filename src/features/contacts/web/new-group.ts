import { useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import { groupNameKey } from '#features/contacts/group-name.ts'
import { formatCalendarDay, indianDay } from '#lib/dates.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { allGroups } from './group-select.tsx'

export async function createGroup(name: string): Promise<string> {
	const { contactGroup } = await call(contactGroups.create, { body: { name, type: 'national' } })
	void invalidate(contacts.groups)
	return contactGroup._id
}

/** Returns an unused group name such as "Contacts, 23 Nov", or "Contacts, 23 Nov (2)" when that name is taken. */
export function useNewName(): string {
	const { data } = useQuery(allGroups)
	const taken = new Set(data?.contactGroups.map(({ name }) => groupNameKey(name)))
	const name = `Contacts, ${formatCalendarDay(indianDay(useNow()))}`
	let shown = name
	for (let number = 2; taken.has(groupNameKey(shown)); number++) shown = `${name} (${number})`
	return shown
}
