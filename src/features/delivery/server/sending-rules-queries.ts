import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'
import type { MarketingRoute, SendingRules } from '../contract.ts'
import { IS_WAITING } from './conditions.ts'

/**
 * Returns an account's rules. With `isLocked`, locks their row, if the account has saved any, so that campaigns created at the
 * same moment wait for each other.
 */
export async function findRules(sql: Sql, accountId: AccountId, { isLocked = false } = {}): Promise<SendingRules> {
	const [row] = await sql<
		{
			messages: number | null
			days: number | null
			from: string | null
			until: string | null
			route: MarketingRoute | null
			sharesActivity: boolean | null
		}[]
	>`
		select max_messages as messages, in_days as days, to_char(quiet_from, 'HH24:MI') as "from",
			to_char(quiet_until, 'HH24:MI') as until, marketing_route as route, shares_activity as "sharesActivity"
		from sending_rules where account_id = ${accountId}
		${isLocked ? sql`for update` : sql``}
	`
	const { messages = null, days = null, from = null, until = null } = row ?? {}
	return {
		frequency: messages === null || days === null ? null : { messages, days },
		quiet: from === null || until === null ? null : { from, until },
		marketing: { route: row?.route ?? 'automatic', sharesActivity: row?.sharesActivity ?? false },
	}
}

/** Writes an account's rules. Without `marketing`, its settings stay as they are. */
export async function upsertRules(
	sql: Sql,
	accountId: AccountId,
	{ frequency, quiet, marketing }: Omit<SendingRules, 'marketing'> & Partial<Pick<SendingRules, 'marketing'>>,
): Promise<void> {
	await sql`
		insert into sending_rules as r (
			account_id, max_messages, in_days, quiet_from, quiet_until, marketing_route, shares_activity
		)
		values (
			${accountId}, ${frequency?.messages ?? null}, ${frequency?.days ?? null}, ${quiet?.from ?? null}::time,
			${quiet?.until ?? null}::time, ${marketing?.route ?? null}, ${marketing?.sharesActivity ?? null}
		)
		on conflict (account_id) do update
		set max_messages = excluded.max_messages, in_days = excluded.in_days, quiet_from = excluded.quiet_from,
			quiet_until = excluded.quiet_until, marketing_route = coalesce(excluded.marketing_route, r.marketing_route),
			shares_activity = coalesce(excluded.shares_activity, r.shares_activity)
	`
}

const CLOCK = `(now() at time zone '${INDIAN_TIME_ZONE}')::time`

/** SQL condition: now lies in the quiet hours of the rules `r`. */
const IS_QUIET = verbatim(`case
	when r.quiet_from < r.quiet_until then ${CLOCK} >= r.quiet_from and ${CLOCK} < r.quiet_until
	else ${CLOCK} >= r.quiet_from or ${CLOCK} < r.quiet_until end`)

/** Selects the end of an account's current quiet hours, as in 09:00; null outside them. */
export const quietUntilAllAccounts = (sql: Sql, account: Statement) => sql`(
	select to_char(r.quiet_until, 'HH24:MI') from sending_rules r where r.account_id = ${account} and ${IS_QUIET}
)`

/** Selects the start of an account's current quiet hours; null outside them. */
export const quietSinceAllAccounts = (sql: Sql, account: Statement) => sql`(
	select (${INDIAN_TODAY} - (${verbatim(CLOCK)} < r.quiet_from)::int + r.quiet_from) at time zone ${verbatim(`'${INDIAN_TIME_ZONE}'`)}
	from sending_rules r where r.account_id = ${account} and ${IS_QUIET}
)`

/**
 * SQL condition: the campaign waits in quiet hours. It has the kind `campaign`, or is an API campaign with a marketing template.
 * Tests, chats and utility messages of programs do not wait.
 */
export const KEEPS_QUIET = verbatim(`(kind = 'campaign' or kind = 'api' and template ->> 'category' = 'MARKETING')`)

/** The condition on an account's campaigns whose template neither endpoint of WhatsApp takes at present. */
export const isPreparingAllAccounts = (sql: Sql, account: Statement) => sql`exists (
	select 1 from template_routes r
	where r.account_id = ${account} and r.name = template ->> 'name' and r.language = template ->> 'language' and ${IS_WAITING}
)`
