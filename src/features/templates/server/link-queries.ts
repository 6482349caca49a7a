import type { AccountId, Sql } from '#lib/server/db.ts'
import type { TemplateRef } from './queries.ts'

export interface TemplateLink {
	/** The token of the example that Meta reviews. */
	token: string
	target: string
}

/** Writes the links of a template that is about to be submitted. */
export async function insertLinks(
	sql: Sql,
	accountId: AccountId,
	{ name, language, links }: TemplateRef & { links: readonly TemplateLink[] },
): Promise<void> {
	await sql`
		insert into template_links (account_id, token, name, language, target)
		select ${accountId}::bigint, n.token, ${name}::text, ${language}::text, n.target
		from unnest(${links.map(({ token }) => token)}::text[], ${links.map(({ target }) => target)}::text[]) as n (token, target)
	`
}

/** Deletes the links of templates that were submitted a day ago or more and are not stored. */
export async function deleteUnusedLinks(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		delete from template_links l
		where l.account_id = ${accountId} and l.created_at < now() - interval '1 day' and not exists (
			select 1 from templates t
			where t.account_id = ${accountId} and t.name = l.name and t.language = l.language
		)
	`
}

/** Returns the account's links that have these tokens. */
export async function listLinks(sql: Sql, accountId: AccountId, tokens: readonly string[]): Promise<TemplateLink[]> {
	return sql<TemplateLink[]>`
		select token, target from template_links where account_id = ${accountId} and token = any(${tokens}::text[])
	`
}
