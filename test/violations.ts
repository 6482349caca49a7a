import { allowedMigrations, migrationViolations } from './violations/migration-violations.ts'
import { allowedTables, tableViolations } from './violations/table-violations.ts'
import { allowedWords } from './violations/word-violations.ts'

/** A file that breaks one rule, and the message that the tool must report for it. */
export interface Violation {
	path: string
	text: string
	message: RegExp
}

const importing = (path: string, specifier: string, message: RegExp): Violation => ({
	path,
	text: `import { thing } from '${specifier}'\n\nexport const used = thing\n`,
	message,
})

const FEATURE = 'src/features/contacts'

export const importViolations: Violation[] = [
	importing('src/lib/a-feature.ts', '#features/auth/contract.ts', /lib knows no feature/),
	importing('src/lib/an-app.ts', '#app/contract.ts', /lib knows no feature/),
	importing('src/lib/a-server.ts', './server/db.ts', /The browser does not use the server side/),
	importing('src/lib/a-node.ts', 'node:fs', /has no node: modules/),
	importing('src/lib/a-library.ts', 'fastify', /only each other and zod/),
	importing('src/lib/a-way-out.ts', '../app/contract.ts', /Leave this folder by its name/),
	importing('src/lib/server/up.ts', '#features/auth/server/service.ts', /lib knows no feature/),
	importing('src/lib/server/across.ts', '../web/api.ts', /The server does not use the web side/),
	importing('src/lib/server/react.ts', 'react', /React and its libraries belong to web/),
	importing('src/lib/server/mantine.ts', '@mantine/core', /React and its libraries belong to web/),
	importing('src/lib/server/deep/far.ts', '../../money.ts', /instead of \.\.\/\.\.\//),
	importing('src/lib/server/tests.ts', '#test/database.ts', /does not use its tests/),
	importing('src/lib/web/up.ts', '#features/auth/contract.ts', /lib knows no feature/),
	importing('src/lib/web/across.ts', '#lib/server/db.ts', /The browser does not use the server side/),
	importing('src/lib/web/node.ts', 'node:path', /has no node: modules/),
	importing(`${FEATURE}/contract.ts`, './server/service.ts', /The browser does not use the server side/),
	importing(`${FEATURE}/rules.ts`, 'libphonenumber-js', /only each other and zod/),
	importing(`${FEATURE}/server/half.ts`, '#features/auth/server/password.ts', /no public file of auth/),
	importing(`${FEATURE}/server/other.ts`, '#features/users/server/queries.ts', /no public file of users/),
	importing(
		`${FEATURE}/server/itself.ts`,
		'#features/contacts/server/contacts/queries.ts',
		/Inside a feature import relatively/,
	),
	importing(
		`${FEATURE}/server/later.ts`,
		'#features/campaigns/contract.ts',
		/contacts may only use the features before it/,
	),
	importing(`${FEATURE}/server/app.ts`, '#app/server/env.ts', /Features do not know the app/),
	importing(`${FEATURE}/server/across.ts`, '../web/parts.tsx', /The server does not use the web side/),
	importing(`${FEATURE}/server/far.ts`, '../../users/contract.ts', /instead of \.\.\/\.\.\//),
	importing(`${FEATURE}/web/across.tsx`, '../server/service.ts', /The browser does not use the server side/),
	importing(`${FEATURE}/web/other.tsx`, '#features/users/web/user-list.tsx', /no public file of users/),
	importing(
		`${FEATURE}/web/service.tsx`,
		'#features/users/server/service.ts',
		/The browser does not use the server side/,
	),
	importing(`${FEATURE}/web/node.tsx`, 'node:fs', /has no node: modules/),
	importing('src/app/server/across.ts', '#features/auth/web/parts.tsx', /The server does not use the web side/),
	importing('src/app/server/across-lib.ts', '#lib/web/api.ts', /The server does not use the web side/),
	importing('src/app/web/across.tsx', '#features/auth/server/routes.ts', /The browser does not use the server side/),
	importing('simulator/knows.ts', '#lib/money.ts', /knows nothing of the product/),
	importing('simulator/knows-too.ts', '../src/lib/money.ts', /knows nothing of the product/),
	importing(
		'src/app/server/database.ts',
		'#embedded/postgres.ts',
		/does not use its tests, scripts, simulator or embedded/,
	),
	importing('embedded/knows.ts', '#lib/server/db.ts', /knows nothing of the product/),
	importing('scripts/serve.ts', './demo/data.ts', /Production loads no test, simulator or demo/),
	importing('src/lib/cycle-one.ts', './cycle-two.ts', /Refactor to remove the cycle/),
	importing('src/lib/cycle-two.ts', './cycle-one.ts', /Refactor to remove the cycle/),
	{ path: 'src/lib/default.ts', text: 'export default 1\n', message: /Prefer named exports/ },
	{ path: 'src/lib/any.ts', text: 'export const loose = (text: string): any => text\n', message: /Unexpected `any`/ },
	{ path: 'src/lib/console.ts', text: "console.log('hello')\n", message: /console/ },
	{
		path: 'src/lib/floating.ts',
		text: 'const wait = async () => {}\nexport function start() {\n\twait()\n}\n',
		message: /Promises must be awaited/,
	},
]

const query = (name: string, parameters: string) =>
	`export async function ${name}(${parameters}) {\n\treturn sql\`select 1 from contacts\`\n}\n`

export const structureViolations: Violation[] = [
	...migrationViolations,
	...tableViolations,
	{
		path: 'src/features/wallet/server/present.ts',
		text: 'export const rupees = (amountPaise: number) => amountPaise / 100\n',
		message: /Money is integer paise/,
	},
	{
		path: 'src/features/wallet/web/sum.ts',
		text: 'export const paise = (amount: string) => Math.round(parseFloat(amount) * 100)\n',
		message: /Money is integer paise/,
	},
	{
		path: 'src/features/campaigns/server/present.ts',
		text: 'export const shown = (cost: number) => cost.toFixed(2)\n',
		message: /Money is integer paise/,
	},
	{
		path: 'src/features/pricing/rules.ts',
		text: 'export const withTax = (pricePaise: number) => pricePaise * 1.18\n',
		message: /Money is integer paise/,
	},
	{
		path: 'db/migrations/0999_prices.sql',
		text: 'create table offers (\n\tprice numeric(10, 2) not null\n);\n',
		message: /integer or bigint/,
	},
	{
		path: `${FEATURE}/server/notify-queries.ts`,
		text: "export const notifyWork = (sql: Sql, accountId: AccountId) => sql`select pg_notify('work', ${accountId})`\n",
		message: /Only db\.ts sends NOTIFY/,
	},
	{ path: 'src/lib/server/signals.ts', text: 'await sql`\n\tnotify work`\n', message: /Only db\.ts sends NOTIFY/ },
	{
		path: `${FEATURE}/server/old-queries.ts`,
		text: 'const old = sql`delete from keys where account_id = ${accountId} and id in (\n\tselect id from keys where account_id = ${accountId} and used_at < now() limit 5\n)`\n',
		message: /"used_at < now\(\)" of the subselect is not asked again/,
	},
	{
		path: `${FEATURE}/server/draft-queries.ts`,
		text: "const old = sql`with old as (select id from (select id, status from lists order by id) as l where status = 'draft')\nupdate lists l set status = 'gone' from old where l.id = old.id`\n",
		message: /"status = 'draft'" of the subselect is not asked again/,
	},
	{ path: `${FEATURE}/server/service.ts`, text: 'sql`select 1`\n', message: /SQL outside of queries/ },
	{
		path: 'src/app/server/health.ts',
		text: 'tx<{ n: number }[]>`\n\tdelete from users`\n',
		message: /SQL outside of queries/,
	},
	{ path: 'src/app/server/raw.ts', text: "db.unsafe('drop')\n", message: /SQL outside of queries/ },
	{
		path: `${FEATURE}/server/import-queries.ts`,
		text: 'await sql`update wallets set balance_paise = 1`\n',
		message: /Only ledger\.ts of the feature wallet writes/,
	},
	...['insert into campaigns (name)', 'INSERT INTO\n campaign_messages (seq)'].map((insert) => ({
		path: 'src/features/campaigns/server/report/copy-queries.ts',
		text: `await sql\`${insert} values (1)\`\n`,
		message: /Only the queries of delivery\/server\/orders insert campaigns and their messages/,
	})),
	{
		path: `${FEATURE}/server/queries.ts`,
		text: query('listAll', 'sql: Sql'),
		message: /"accountId: AccountId" second/,
	},
	{
		path: 'src/features/wallet/server/queries.ts',
		text: query('list', 'accountId: AccountId'),
		message: /"sql: Sql" first/,
	},
	{
		path: 'src/app/server/worker.ts',
		text: 'export const accountId = 1 as AccountId\n',
		message: /Only the session gate/,
	},
	{ path: `${FEATURE}/server/sync.ts`, text: 'const p = `/${id}/message_templates`\n', message: /Only cloud-api\.ts/ },
	{ path: 'src/app/server/hook.ts', text: "const u = 'https://graph.facebook.com'\n", message: /Only cloud-api\.ts/ },
	{
		path: 'src/lib/server/log.ts',
		text: 'export const level = process.env.LOG_LEVEL\n',
		message: /Only src\/app\/server\/env\.ts/,
	},
	{ path: 'simulator/clock.ts', text: 'const { env } = process\n', message: /Only src\/app\/server\/env\.ts/ },
	{
		path: 'src/features/invoices/rules.ts',
		text: 'export const a = 1\n',
		message: /"invoices" is not a known feature/,
	},
	{ path: 'src/lib/utils.ts', text: 'export const a = 1\n', message: /A catch-all/ },
	{ path: 'src/lib/helpers/text.ts', text: 'export const a = 1\n', message: /A catch-all/ },
	{ path: `${FEATURE}/index.ts`, text: 'export const a = 1\n', message: /A barrel/ },
	{ path: `${FEATURE}/web/ContactList.tsx`, text: 'export const a = 1\n', message: /kebab-case/ },
	{
		path: 'src/features/users/server/queries.ts',
		text: "import { invite } from './service.ts'\n",
		message: /routes → service → queries/,
	},
	{
		path: 'src/features/delivery/server/settlement/up.ts',
		text: "import { claimFresh } from '../claims/claim-queries.ts'\n",
		message:
			/routes → service → restore → sending → claims → sweeps → settlement → lifecycle → limits, orders, replies, template-route → months → message → queries, never up/,
	},
	{
		path: 'src/features/templates/server/creation/across.ts',
		text: "import { syncTemplates } from '../sync/sync.ts'\n",
		message: /never up/,
	},
	{
		path: 'src/features/campaigns/server/creation/up.ts',
		text: "const { createCampaign } = await import('../service.ts')\n",
		message: /never up/,
	},
	{
		path: 'src/features/delivery/server/sending-rules-queries.ts',
		text: "import { settle } from './settlement/settle.ts'\n",
		message: /never up/,
	},
	{ path: 'src/features/users/server/signup/create.ts', text: 'export {}\n', message: /"signup" is not a known stage/ },
	{
		path: 'src/features/campaigns/web/report/funnel.tsx',
		text: "import { CampaignForm } from '../create/campaign-form.tsx'\n",
		message: /The screen report does not import the screen create/,
	},
	{
		path: 'scripts/structure/stage-rules.ts',
		text: 'export {}\n',
		message: /The stage "webhooks" of whatsapp does not exist/,
	},
	{
		path: 'scripts/structure/features.ts',
		text: 'export {}\n',
		message: /No other feature imports "counted-link\.ts" of templates: remove it/,
	},
	{
		path: 'src/lib/web/misspelt.tsx',
		text: "import styles from './card.module.css'\n\nexport const Row = () => <li className={styles.titel} />\n",
		message: /no such class in src\/lib\/web\/card\.module\.css/,
	},
	{
		path: 'src/features/auth/web/computed.tsx',
		text: "import styles from '#lib/web/card.module.css'\n\nexport const Row = ({ tone }) => <li className={styles[tone]} />\n",
		message: /Write styles\.className/,
	},
	{
		path: 'src/lib/web/global.tsx',
		text: 'export const Row = () => <li className="stack bold" />\n',
		message: /no such class in a global stylesheet/,
	},
	{ path: 'src/lib/day.ts', text: "new Intl.DateTimeFormat('en-CA')\n", message: /A format is for people/ },
	{
		path: 'src/lib/time.ts',
		text: "export const time = (at: number) => stampFormat.format(at).split(' ')[1]\n",
		message: /A format is for people/,
	},
	{ path: 'src/lib/web/box.tsx', text: '<input maxLength={200} />\n', message: /input takes text of any length/ },
	{ path: 'src/lib/long.ts', text: 'export {}\n'.repeat(301), message: /301 lines, at most 300/ },
	{
		path: `${FEATURE}/server/answers.ts`,
		text: 'const Answer = z.object({ name: z.string() })\n',
		message: /needs a maximum: write Text/,
	},
	{ path: 'docs/later.md', text: '\u0054ODO: write this\n', message: /Finish it now/ },
	{ path: 'docs/place.md', text: 'See \u002fhome/someone/notes\n', message: /A path of one machine/ },
	{
		path: 'package-lock.json',
		text: '{ "resolved": "https://registry.example/a.tgz" }\n',
		message: /This names a registry/,
	},
]

/** Files without violations, one for each kind of place. */
export const allowed: { path: string; text: string }[] = [
	...allowedTables,
	...allowedMigrations,
	...allowedWords,
	importing('src/lib/fine.ts', 'zod/mini', /./),
	importing('src/lib/server/fine.ts', '../fine.ts', /./),
	importing('src/features/templates/contract.ts', '#lib/fine.ts', /./),
	importing('src/features/templates/server/routes.ts', '#features/whatsapp/server/service.ts', /./),
	importing('src/features/templates/web/list.tsx', '#features/whatsapp/web/parts.tsx', /./),
	importing('src/features/templates/web/editor.tsx', '../contract.ts', /./),
	importing('src/features/templates/server/backoff.ts', '#features/auth/server/passwords/sign-in-changes.ts', /./),
	importing('src/app/contract.ts', '#features/templates/contract.ts', /./),
	importing('src/app/server/http.ts', '#features/templates/server/routes.ts', /./),
	importing('src/app/web/routes.tsx', '#features/templates/web/list.tsx', /./),
	importing('simulator/fine.ts', 'node:http', /./),
	{ path: 'src/lib/web/base.css', text: '/* .none */\n.stack {\n\tgap: 0.5em;\n}\n' },
	{ path: 'src/lib/web/card.module.css', text: '.card {\n\t& > .title:hover {\n\t\tpadding: 1.5em;\n\t}\n}\n' },
	{
		path: 'src/lib/web/card.tsx',
		text: `import styles from './card.module.css'

export const Card = () => (
	<section className={styles.card}>
		<b className={\`stack \${styles.title}\`} />
		<i className="stack" />
	</section>
)
`,
	},
	importing('src/features/campaigns/server/routes.ts', './creation/read-form.ts', /./),
	importing('src/features/delivery/server/sending/recorder.ts', '../settlement/settle.ts', /./),
	importing('src/features/delivery/server/lifecycle/open.ts', '../queries.ts', /./),
	importing('src/features/campaigns/web/report/progress.tsx', '../badges.tsx', /./),
	importing('src/features/templates/server/routes.test.ts', '#test/database.ts', /./),
	{
		path: 'src/features/templates/server/queries.ts',
		text: `export async function listTemplates(sql: Sql, accountId: AccountId) {\n\treturn sql\`select 1 from templates where owner_id = \${accountId}\`\n}\n`,
	},
]
