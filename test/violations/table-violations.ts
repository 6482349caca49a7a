import type { Violation } from '../violations.ts'

const readOf = (tables: string) =>
	`export const list = (sql: Sql, accountId: AccountId) => sql\`select 1 from ${tables} where account_id = \${accountId}\`\n`

/** Sources that the rules of tables refuse, each with its message. */
export const tableViolations: Violation[] = [
	{
		path: 'src/features/wallet/server/month-queries.ts',
		text: readOf('ledger_entries l\n\t\tleft join campaigns c on c.account_id = l.account_id'),
		message: /wallet may only read its own tables and those of features before it, and campaigns is of delivery/,
	},
	{
		path: 'src/features/users/server/balance-queries.ts',
		text: readOf('users u, wallets w'),
		message: /and wallets is of wallet/,
	},
	{
		path: 'src/features/contacts/server/columns.ts',
		text: 'export const last = (sql: Sql) => sql`(select max(id) from only chat_messages)`\n',
		message: /and chat_messages is of chats/,
	},
	{
		path: 'src/lib/server/db/all-accounts.ts',
		text: readOf('users'),
		message: /lib may only read its own tables/,
	},
	{
		path: 'src/features/chats/server/mark-queries.ts',
		text: 'await sql`\n\tupdate contacts set name = 1`\n',
		message: /Only contacts writes contacts: call a function of it/,
	},
	{
		path: 'src/features/statements/server/keep-queries.ts',
		text: 'await sql`with gone as (delete from waiting_refunds returning 1) select 1 from gone`\n',
		message: /Only wallet writes waiting_refunds/,
	},
	{
		path: 'db/schema.sql',
		text: 'create table pets (\n\tid bigint\n);\n',
		message: /"pets" has no owner: name the feature/,
	},
	{
		path: 'scripts/structure/features.ts',
		text: 'export {}\n',
		message: /The table "wallets" does not exist: remove it/,
	},
]

/** Sources that the rules of tables accept. */
export const allowedTables: { path: string; text: string }[] = [
	{
		path: 'src/features/delivery/server/own-queries.ts',
		text: `/** Not from chats. */
export const list = (sql: Sql, accountId: AccountId) => sql\`
	with changed as (update sending_rules set in_days = null where account_id = \${accountId} returning 1)
	select 1 from campaigns c, contacts join templates using (account_id) for update of c
\`
`,
	},
	{
		path: 'src/features/notifications/server/words.ts',
		text: "export const about = 'Templates from chats'\n",
	},
]
