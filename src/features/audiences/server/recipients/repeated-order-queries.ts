import type { AccountId, Sql } from '#lib/server/db.ts'
import type { NewCampaign } from './audience-queries.ts'

type ComparedFields = Pick<
	NewCampaign,
	| 'name'
	| 'variables'
	| 'audienceType'
	| 'audienceName'
	| 'groupId'
	| 'segmentId'
	| 'holdOutPercent'
	| 'opensAt'
	| 'requestDigest'
> & {
	description: string
	template: Pick<NewCampaign['template'], 'name' | 'language'>
}

/** Returns the campaign's name when it was created from a different form; null when the form is the same. */
export async function findDifferent(
	sql: Sql,
	accountId: AccountId,
	{ id, form }: { id: number; form: ComparedFields },
): Promise<string | null> {
	const { template } = form
	const [row] = await sql<{ name: string }[]>`
		select name from campaigns
		where account_id = ${accountId} and id = ${id} and not (
			name = ${form.name} and coalesce(description, '') = ${form.description}
			and template ->> 'name' = ${template.name} and template ->> 'language' = ${template.language}
			and variables = ${JSON.stringify(form.variables)}::jsonb and is_scheduled = ${form.opensAt !== null}
			and (${form.opensAt}::timestamptz is null or opens_at = ${form.opensAt}::timestamptz)
			and audience_type = ${form.audienceType} and audience_name is not distinct from ${form.audienceName}
			and group_id is not distinct from ${form.groupId}::bigint
			and segment_id is not distinct from ${form.segmentId ?? null}::bigint
			and hold_out_percent is not distinct from ${form.holdOutPercent ?? null}::smallint
			and coalesce(request_digest = ${form.requestDigest ?? null}::text, true)
		)
	`
	return row?.name ?? null
}
