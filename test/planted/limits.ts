import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const limits = 'src/features/limits'
const placesTest = `${limits}/server/service.test.ts`
const routeTest = `${delivery}/template-route/sending.test.ts`
const endpointTest = `${delivery}/template-route/endpoint.test.ts`
const limitsTest = `${delivery}/limits/limits.test.ts`

/** Faults of the counting under WhatsApp's limit, and of campaigns that wait for it. */
export const LIMIT_FAULTS: readonly PlantedFault[] = [
	{
		name: 'a claim takes one new person more than places are left',
		file: `${limits}/server/service.ts`,
		text: 'if (isNew && added.size >= share) continue',
		replacement: 'if (isNew && added.size > share) continue',
		tests: [placesTest, limitsTest],
	},
	{
		name: 'a person with a later message counts no more after a day',
		file: `${limits}/server/portfolio-queries.ts`,
		text: 'where k.portfolio = ${portfolio} and k.person = g.person and k.counted_at > t.since',
		replacement: 'where k.portfolio = ${portfolio} and k.person = g.person and k.counted_at > t.at',
		tests: [placesTest],
	},
	{
		name: 'a failed message gives the place of a person back who has another message',
		file: `${limits}/server/portfolio-queries.ts`,
		text: 'where other.portfolio = ${portfolio} and other.person = g.person and not exists (',
		replacement: 'where other.portfolio is null and other.person = g.person and not exists (',
		tests: [placesTest],
	},
	{
		name: 'a claim takes places that another account of the portfolio has taken',
		file: `${limits}/server/service.ts`,
		text: 'const free = Math.max(0, perDay - people)',
		replacement: 'const free = Math.max(0, perDay - people + 1)',
		tests: [placesTest],
	},
	{
		name: 'a message that Meta refused keeps its place',
		file: `${delivery}/sending/recorder.ts`,
		text: "return kind !== 'accepted' && kind !== 'unknown'",
		replacement: "return kind === 'returned'",
		tests: [limitsTest],
	},
	{
		name: 'a campaign that waits for the limit keeps a worker busy',
		file: `${delivery}/limits/waiting-queries.ts`,
		text: 'else greatest(extract(epoch from c.limit_waits_until - now()) * 1000, 0)',
		replacement: 'else 0',
		tests: [limitsTest],
	},
	{
		name: 'a limit that becomes known counts nothing that was sent before',
		file: `${limits}/server/service.ts`,
		text: 'if (wasLimited && from === to) return',
		replacement: 'if (from === to) return',
		tests: [placesTest],
	},
	{
		name: 'an account of a WABA whose portfolio another account knows gets a limit of its own',
		file: `${limits}/server/membership-queries.ts`,
		text: 'on conflict (portfolio) do update set moved_to = excluded.moved_to, people = 0',
		replacement: 'on conflict (portfolio) do update set people = 0',
		tests: [placesTest],
	},
	{
		name: 'a WABA that changes its portfolio leaves its people behind',
		file: `${limits}/server/membership-queries.ts`,
		text: 'update portfolio_messages set portfolio = ${to} where account_id',
		replacement: 'update portfolio_messages set portfolio = portfolio where account_id',
		tests: [placesTest],
	},
	{
		name: 'only the account whose limits were read moves with its WABA',
		file: `${limits}/server/service.ts`,
		text: 'const accounts = await membership.listAccountsOfWabaAllAccounts(sql, sender.waba)',
		replacement: 'const accounts = [accountId]',
		tests: [placesTest],
	},
	{
		name: 'an account counts in the former portfolio of its WABA until it has read the new one',
		file: `${limits}/server/membership-queries.ts`,
		text: 'return isOfWaba(current) ? portfolio : current',
		replacement: 'return isOfWaba(portfolio) ? current : portfolio',
		tests: [placesTest],
	},
	{
		name: 'a message that is claimed under another portfolio counts in the former one',
		file: `${limits}/server/portfolio-queries.ts`,
		text: 'if (written < messages.length) {',
		replacement: 'if (written < 0) {',
		tests: [placesTest],
	},
	{
		name: 'a campaign whose template waits takes a share of the limit',
		file: `${delivery}/limits/waiting-queries.ts`,
		text: 'and not ${isPreparingAllAccounts(sql, sql`c.account_id`)}',
		replacement: '',
		tests: [routeTest],
	},
	{
		name: 'a campaign whose template waits keeps a worker busy',
		file: `${delivery}/sending/lease-queries.ts`,
		text: ' and not ${isPreparingAllAccounts(sql, account)}',
		replacement: '',
		tests: [routeTest],
	},
	{
		name: 'the mark of a wait counts on a choice of a month',
		file: `${delivery}/conditions.ts`,
		text: " and r.until < now() + interval '15 minutes'",
		replacement: '',
		tests: [routeTest],
	},
	{
		name: 'places are given while earlier messages are still being counted',
		file: `${limits}/server/service.ts`,
		text: 'if (!(await countEarlier(sql, portfolio, reads))) return null',
		replacement: 'await countEarlier(sql, portfolio, reads)',
		tests: [placesTest],
	},
	{
		name: 'a daily start within quiet hours leaves no time of the day to send',
		file: `${limits}/rules.ts`,
		text: 'const start = quiet && isQuiet(dailyStart, quiet) ? quiet.until : dailyStart',
		replacement: 'const start = dailyStart',
		tests: [`${limits}/rules.test.ts`],
	},
	{
		name: 'a template that is being prepared pauses its campaign when the ordinary route refuses it too',
		file: `${delivery}/template-route/endpoint.ts`,
		text: "const isOtherPreparing = endpoint === 'messages' && isPreparing(otherCode, refused.isJustOnboarded)",
		replacement: 'const isOtherPreparing = false',
		tests: [endpointTest],
	},
	{
		name: 'a template that is not prepared just after the onboarding fails its messages',
		file: `${delivery}/template-route/endpoint.ts`,
		text: 'return code === 134101 || (isNew && UNPREPARED_CODES.includes(code))',
		replacement: 'return code === 134101',
		tests: [endpointTest],
	},
]
