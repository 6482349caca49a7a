import * as z from 'zod/mini'
import { proof } from '#features/auth/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, Required, RowId, SentTime, Text, Time } from '#lib/fields.ts'
import { Amount } from './v1-fields.ts'

/** Permissions of a key. A scope to write campaigns or contacts includes reading them. */
export const Scope = z.enum([
	'messages:write',
	'messages:read',
	'campaigns:write',
	'campaigns:read',
	'contacts:write',
	'contacts:read',
	'templates:read',
	'account:read',
])
export type Scope = z.output<typeof Scope>

/** The scopes of a test key, which changes no contact. */
export const TEST_SCOPES: readonly Scope[] = Scope.options.filter((scope) => scope !== 'contacts:write')
export const TEST_SCOPES_ONLY = 'A test key can order messages and campaigns and read, but change no contacts'

const MAX_NETWORKS = 20
const MAX_DAY_LIMIT = 1_00_00_000
const DAY_LIMIT_INVALID = 'Enter whole rupees, from 1 to 1,00,00,000'

export const ApiKey = z.object({
	id: RowId,
	name: z.string(),
	scopes: z.array(Scope),
	/** True for a test key: its orders are neither sent nor charged. */
	isTest: z.boolean(),
	/** Allowed networks in CIDR notation; empty for any address. */
	networks: z.array(z.string()),
	/** Limit of the key's spending per Indian day, and today's spending; null without a limit. */
	dayLimit: z.nullable(z.object({ limit: Amount, spent: Amount })),
	createdAt: Time,
	/** Time from which the key is invalid; null for never. */
	expiresAt: z.nullable(Time),
	/** Time of the last use, precise to a minute; null for an unused key. */
	lastUsedAt: z.nullable(Time),
})
export type ApiKey = z.output<typeof ApiKey>

export const CreateKeyBody = z.object({
	...proof,
	name: Required('Name is required', 100),
	scopes: z
		.array(Scope, 'Choose what the key may do')
		.check(z.minLength(1, 'Choose what the key may do'), z.maxLength(Scope.options.length)),
	networks: z._default(
		z.array(Text(50)).check(z.maxLength(MAX_NETWORKS, `At most ${MAX_NETWORKS} networks are allowed`)),
		[],
	),
	expiresAt: z.optional(z.nullable(SentTime)),
	isTest: z.optional(z.boolean()),
	/** Limit per Indian day in rupees; no limit when missing or null. */
	dayLimitRupees: z.optional(
		z.nullable(z.int(DAY_LIMIT_INVALID).check(z.gte(1, DAY_LIMIT_INVALID), z.lte(MAX_DAY_LIMIT, DAY_LIMIT_INVALID))),
	),
})

/** Calls of the developer page. Programs call `v1`. */
export const developer = {
	keys: endpoint('GET /api/developer/keys', { access: 'owner', response: z.object({ keys: z.array(ApiKey) }) }),
	/** Creates a key after a proof of identity. `key` is returned only here. */
	createKey: endpoint('POST /api/developer/keys', {
		access: 'owner',
		perMinute: 30,
		status: 201,
		body: CreateKeyBody,
		response: z.object({ id: RowId, key: z.string() }),
	}),
	revokeKey: endpoint('DELETE /api/developer/keys/{id}', {
		access: 'owner',
		params: z.object({ id: Id }),
		response: Message,
	}),
	/** Revokes all keys and deletes all webhooks of the account. */
	revokeAll: endpoint('POST /api/developer/revoke-all', { access: 'owner', perMinute: 30, response: Message }),
}
