import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { ListQuery, OptionalId, RowId, Search, Time } from '#lib/fields.ts'
import { AdminActionKind } from './contract.ts'

/** Work of people in their account, which admins do not see. */
export const WorkKind = z.enum([
	'campaign-created',
	'campaign-edited',
	'campaign-paused',
	'campaign-resumed',
	'campaign-cancelled',
	'sending-resumed',
	'template-created',
	'template-file-changed',
	'template-deleted',
	'opted-out',
	'opted-in',
	'contacts-uploaded',
	'contacts-deleted',
	'group-deleted',
	'segment-created',
	'segment-changed',
	'segment-deleted',
	'contacts-exported',
	'recipients-exported',
	'statement-exported',
	'activity-exported',
	'person-downloaded',
	'person-erased',
])
export type WorkKind = z.output<typeof WorkKind>

/** Subjects by which the list of an account's activity is filtered. */
export const WorkGroup = z.enum(['campaigns', 'templates', 'contacts', 'opt-outs', 'exports', 'people', 'programs'])
export type WorkGroup = z.output<typeof WorkGroup>

/** An action of a person in the account, with the names at that time. */
export const AccountAction = z.object({
	_id: z.string(),
	action: z.enum([...WorkKind.options, ...AdminActionKind.options]),
	person: z.string(),
	/** The colleague whom the action concerns; null for any other action. */
	colleague: z.nullable(z.string()),
	details: z.nullable(z.string()),
	createdAt: Time,
})
export type AccountAction = z.output<typeof AccountAction>

/** An unknown group lists actions of all groups. */
const filters = {
	search: Search,
	person: z.catch(OptionalId, undefined),
	group: z.catch(z.optional(WorkGroup), undefined),
}

/** The activity of an account: what its people did there, with their actions in the audit trail. */
export const work = {
	/** `people` are those who were invited to the account, the owner first. */
	list: endpoint('GET /api/activity', {
		access: 'manager',
		query: z.object({ ...ListQuery, ...filters }),
		response: z.object({
			actions: z.array(AccountAction),
			people: z.array(z.object({ _id: RowId, name: z.string() })),
			page: z.int(),
			pages: z.int(),
			total: z.int(),
		}),
	}),
	/** Returns the matching actions as CSV, newest first. */
	exportCsv: endpoint('GET /api/activity/export', {
		effort: 'export',
		access: 'manager',
		query: z.object(filters),
		response: { file: 'text/csv; charset=utf-8' },
	}),
}
