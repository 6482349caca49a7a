import type { ColleagueSeat } from '#features/auth/contract.ts'
import { hashPassword } from '#features/auth/server/password-hash.ts'
import { insertMember } from '#features/auth/server/queries.ts'
import { createUser, type AccountContext } from '#features/auth/server/service.ts'
import { openSession } from '#features/auth/server/sessions/sessions.ts'
import { insertContacts, type NewContact } from '#features/contacts/server/contacts/queries.ts'
import { Scope } from '#features/developer/contract.ts'
import { createKey } from '#features/developer/server/keys/keys.ts'
import type { MetaTemplate } from '#features/templates/server/meta-template.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { getTemplate, upsertTemplates } from '#features/templates/server/service.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { retryDeadlocks } from '#lib/server/db/deadlocks.ts'

/** A user with an account; `token` is the token of an open session. */
export interface TestAccount {
	token: string
	/** Id of the user as the API writes it. */
	userId: string
	accountId: AccountId
	name: string
	email: string
	password: string
}

export interface GivenAccount {
	name?: string
	email?: string
	password?: string
	role?: 'admin' | 'user'
	isActive?: boolean
	/** Amount recharged on creation. */
	balancePaise?: number
}

/** Creates an account without a user. */
export async function bareAccount(sql: Sql): Promise<AccountId> {
	const [row] = await sql<{ id: AccountId }[]>`insert into accounts default values returning id`
	if (!row) throw new Error('the account was not inserted')
	return row.id
}

let made = 0

/** Creates an active user with an empty wallet and the standard prices, except for the values given. */
export async function account(context: AccountContext, given: GivenAccount = {}): Promise<TestAccount> {
	const number = ++made
	const password = given.password ?? 'correct horse'
	const member = await createUser(context, {
		name: given.name ?? `Person ${number}`,
		email: given.email ?? `person${number}@example.com`,
		password,
		role: given.role ?? 'user',
		isActive: given.isActive ?? true,
	})
	const { id, accountId, name, email } = member
	const session = { remember: false, userAgent: 'test', ip: '192.0.2.1' }
	const token = await retryDeadlocks(() => openSession(context.db, id, session))
	if (given.balancePaise) {
		const payment = { reference: `test:${number}`, amountPaise: given.balancePaise }
		await transaction(context.db, (sql) => postRecharge(sql, accountId, payment))
	}
	return { token, userId: String(id), accountId, name, email, password }
}

/** Creates a colleague in the account, with an open session. `accountId` is the account that the colleague works in. */
export async function colleague(
	{ db, env }: Pick<AccountContext, 'db' | 'env'>,
	{ accountId }: Pick<TestAccount, 'accountId'>,
	seat: ColleagueSeat,
): Promise<TestAccount> {
	const number = ++made
	const [name, password] = [`Colleague ${number}`, 'correct horse']
	const person = { name, email: `colleague${number}@example.com`, role: seat }
	const rules = { policy: env.PASSWORD_POLICY, person: { ...person, role: 'user' as const } }
	const stored = { passwordHash: await hashPassword(password, rules), from: 'self' as const, isActive: true }
	const { id, email } = await transaction(db, (sql) => insertMember(sql, { ...person, ...stored, worksIn: accountId }))
	const session = { remember: false, userAgent: 'test', ip: '192.0.2.1' }
	const token = await retryDeadlocks(() => openSession(db, id, session))
	return { token, userId: String(id), accountId, name, email, password }
}

/** Creates an API key of the account, by default with every scope. */
export async function apiKey(
	db: Db,
	{ accountId, userId }: Pick<TestAccount, 'accountId' | 'userId'>,
	scopes: Scope[] = [...Scope.options],
): Promise<{ id: string; token: string }> {
	const person = { userId: Number(userId), ip: '192.0.2.1' }
	const { id, key } = await createKey(db, accountId, {
		person,
		form: { name: 'Test', scopes, networks: [] },
		prove: async () => {},
	})
	return { id: String(id), token: key }
}

/** Creates a contact outside all groups with a new number. Returns the written row. */
export async function contact(sql: Sql, accountId: AccountId, given: Partial<NewContact> = {}): Promise<NewContact> {
	const number = ++made
	const written = {
		firstName: `Contact ${number}`,
		lastName: null,
		number: `9198${String(number).padStart(8, '0')}`,
		groupId: null,
		...given,
	}
	await insertContacts(sql, accountId, [written])
	return written
}

/** Creates an approved marketing template with one variable in its body. */
export async function template(sql: Sql, accountId: AccountId, given: Partial<MetaTemplate> = {}): Promise<Template> {
	const number = ++made
	const templateId = given.templateId ?? String(10 ** 15 + number)
	const written = {
		name: `template_${number}`,
		language: 'en',
		status: 'APPROVED',
		category: 'MARKETING',
		previousCategory: null,
		correctCategory: null,
		ttlSeconds: null,
		quality: null,
		rejectedReason: null,
		parameterFormat: 'POSITIONAL',
		components: [{ type: 'BODY', text: 'Hello {{1}}, welcome!', example: { body_text: [['Asha']] } }],
		...given,
		templateId,
	}
	await upsertTemplates(sql, accountId, [written])
	return getTemplate(sql, accountId, templateId)
}

/** Creates a campaign without messages or a hold. Returns its id. */
export async function campaignRow(
	sql: Sql,
	accountId: AccountId,
	given: { name?: string; status?: string; category?: string; kind?: 'campaign' | 'chat' | 'api' } = {},
): Promise<number> {
	const { name = 'Offer', status = 'completed', category = 'MARKETING', kind = 'campaign' } = given
	const frozen = { name: 'offer', language: 'en', category, components: [] }
	const [row] = await sql<{ id: number }[]>`
		insert into campaigns (account_id, name, status, kind, template, audience_type, audience_name, price_paise)
		values (${accountId}, ${name}, ${status}, ${kind}, ${JSON.stringify(frozen)}, 'all', 'All contacts', 100)
		returning id
	`
	if (!row) throw new Error('the campaign was not inserted')
	return row.id
}
