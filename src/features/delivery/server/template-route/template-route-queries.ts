import type { MarketingRoute } from '#features/delivery/contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { IS_WAITING } from '../conditions.ts'
import type { RouteChoice } from './endpoint.ts'

/** The facts that decide the endpoints of an account’s messages. */
export interface RouteFacts {
	setting: MarketingRoute
	sharesActivity: boolean
	/** Meta's status of the onboarding to the marketing route; null when unknown. */
	onboarding: string | null
	/** When the account was first known to have joined the marketing route, in milliseconds; null when that was long ago. */
	onboardedAtMs: number | null
	choices: RouteChoice[]
	categories: TemplateCategory[]
}

/** The category of a template, as WhatsApp decided it. */
export interface TemplateCategory {
	name: string
	language: string
	category: string
}

export type TemplateKey = Pick<TemplateCategory, 'name' | 'language'>

/** Selects an account's `RouteFacts` beside its row `s` of senders. `templates` are the names whose categories are read. */
export const routeFacts = (sql: Sql, accountId: AccountId, templates: readonly string[]) => sql`
	jsonb_build_object(
		'setting', coalesce((select marketing_route from sending_rules where account_id = ${accountId}), 'automatic'),
		'sharesActivity', coalesce((select shares_activity from sending_rules where account_id = ${accountId}), false),
		'onboarding', s.marketing_onboarding,
		'onboardedAtMs', (extract(epoch from s.marketing_onboarded_at) * 1000)::float8,
		'choices', coalesce((
			select jsonb_agg(jsonb_build_object(
				'name', r.name, 'language', r.language, 'endpoint', r.endpoint, 'code', r.code, 'category', r.category,
				'onboarding', r.onboarding, 'untilMs', (extract(epoch from r.until) * 1000)::float8,
				'isWaiting', ${IS_WAITING}
			))
			from template_routes r
			where r.account_id = ${accountId} and r.until > now()
		), '[]'),
		'categories', coalesce((
			select jsonb_agg(jsonb_build_object('name', t.name, 'language', t.language, 'category', t.category))
			from templates t
			where t.account_id = ${accountId} and t.name = any(${templates}::text[])
		), '[]')
	)
`

/** Writes a choice, in place of the template's earlier choice, and deletes the account's choices that have ended. */
export async function upsertChoice(sql: Sql, accountId: AccountId, choice: RouteChoice): Promise<void> {
	await sql`delete from template_routes where account_id = ${accountId} and until < now()`
	await sql`
		insert into template_routes (account_id, name, language, endpoint, code, category, onboarding, until, is_waiting)
		values (
			${accountId}, ${choice.name}, ${choice.language}, ${choice.endpoint}, ${choice.code}, ${choice.category},
			${choice.onboarding}, to_timestamp(${choice.untilMs}::float8 / 1000), ${choice.isWaiting ?? false}
		)
		on conflict (account_id, name, language) do update
		set endpoint = excluded.endpoint, code = excluded.code, category = excluded.category,
			onboarding = excluded.onboarding, until = excluded.until, is_waiting = excluded.is_waiting
	`
}
