import * as z from 'zod/mini'
import { proof } from '#features/auth/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, Required, RowId, SentTime, Text, Time } from '#lib/fields.ts'
import { Amount } from './v1-fields.ts'

/** What a key may be used for. A scope to write campaigns or contacts includes reading them. */
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

/** A test key sends messages and reads: it changes no contact and starts no campaign. */
export const TEST_SCOPES: readonly Scope[] = Scope.options.filter(
	(scope) => scope === 'messages:write' || !scope.endsWith(':write'),
)
export const TEST_SCOPES_ONLY = 'A test key can send messages and read, but neither start campaigns nor change contacts'

const MAX_NETWORKS = 20
const MAX_DAY_LIMIT = 1_00_00_000
const DAY_LIMIT_INVALID = 'Enter whole rupees, from 1 to 1,00,00,000'

export const ApiKey = z.object({
	id: RowId,
	name: z.string(),
	scopes: z.array(Scope),
	/** Nothing that it orders is sent or charged. */
	isTest: z.boolean(),
	/** In the notation of CIDR; from anywhere when empty. */
	networks: z.array(z.string()),
	/** What it may spend on one Indian day, and has spent today; null is without a limit. */
	dayLimit: z.nullable(z.object({ limit: Amount, spent: Amount })),
	createdAt: Time,
	/** From then on it does not work. Null is never. */
	expiresAt: z.nullable(Time),
	/** Within a minute; null until it is used. */
	lastUsedAt: z.nullable(Time),
})
export type ApiKey = z.output<typeof ApiKey>

/** What the owner of an account does on the screen of developers. What their programs call is in `v1`. */
export const developer = {
	keys: endpoint('GET /api/developer/keys', { access: 'user', response: z.object({ keys: z.array(ApiKey) }) }),
	/** Takes a proof, too. `key` is shown this once. */
	createKey: endpoint('POST /api/developer/keys', {
		access: 'user',
		perMinute: 30,
		status: 201,
		body: z.object({
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
			/** What it may spend on one Indian day, in rupees; without a limit when left out or null. */
			dayLimitRupees: z.optional(
				z.nullable(
					z.int(DAY_LIMIT_INVALID).check(z.gte(1, DAY_LIMIT_INVALID), z.lte(MAX_DAY_LIMIT, DAY_LIMIT_INVALID)),
				),
			),
		}),
		response: z.object({ id: RowId, key: z.string() }),
	}),
	revokeKey: endpoint('DELETE /api/developer/keys/{id}', {
		access: 'user',
		params: z.object({ id: Id }),
		response: Message,
	}),
	/** Revokes all keys and deletes all webhooks of the account. */
	revokeAll: endpoint('POST /api/developer/revoke-all', { access: 'user', perMinute: 30, response: Message }),
}
