import type { Group } from '../groups/group-queries.ts'
import type { Contact } from './queries.ts'

export function presentContact({ id, groupId, groupName, isOptedOut, ...contact }: Contact) {
	const group = groupId === null ? null : { _id: groupId, name: groupName ?? '' }
	return { ...contact, _id: id, group, optedOut: isOptedOut }
}

export function presentGroup({ id, ...group }: Group) {
	return { ...group, _id: id }
}
