import type { ContactRow, GroupRow } from '../contract.ts'
import type { Group } from './group-queries.ts'
import type { Contact } from './queries.ts'

export function presentContact(row: Contact): ContactRow {
	return {
		_id: String(row.id),
		firstName: row.firstName,
		lastName: row.lastName,
		number: row.number,
		group: row.groupId === null ? null : { _id: String(row.groupId), name: row.groupName ?? '' },
		optedOut: row.isOptedOut,
		optedOutAt: row.optedOutAt?.toISOString() ?? null,
		optedOutBecause: row.optedOutBecause,
		createdAt: row.createdAt.toISOString(),
	}
}

export function presentGroup({ id, createdAt, ...group }: Group): GroupRow {
	return { ...group, _id: String(id), createdAt: createdAt.toISOString() }
}
