import { queryOptions, useQuery } from '@tanstack/react-query'
import { segments, type Rule } from '#features/audiences/segment-contract.ts'
import { campaigns, type CampaignRow } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { FieldRow } from '#features/contacts/custom-fields.ts'
import { allCustomFields } from '#features/contacts/web/custom-fields.ts'
import { call } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { choicesOf, type Choice } from '#lib/web/ui/form/choices.ts'

/** The names that rules can choose from and show. */
export interface RuleNames {
	tags: Choice[]
	fields: FieldRow[]
	groups: Choice[]
	campaigns: Choice[]
	/** The campaigns with a counted link. The others have no clicks. */
	linked: Choice[]
	countries: Choice[]
}

// Loaded late, as the number plans of all countries are larger than this screen.
const callingCodes = queryOptions({
	queryKey: ['calling codes'],
	queryFn: async () => (await import('#lib/phone/phone-plan.ts')).listCallingCodes(),
	staleTime: Infinity,
})

/** Returns the queries that read the names in saved and in edited rules. */
export function useRuleReadings(edited: readonly Rule[] = []) {
	const latest = useQuery(query(campaigns.list, { query: { limit: 100 } }))
	return {
		own: useQuery(allCustomFields),
		groups: useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		campaigns: latest,
		earlier: useEarlierCampaigns(latest.data?.campaigns, edited),
		codes: useQuery(callingCodes),
	}
}

/** Returns the campaigns in saved and edited rules that are not among the latest. */
function useEarlierCampaigns(latest: readonly CampaignRow[] | undefined, edited: readonly Rule[]) {
	const saved = useQuery(query(segments.list)).data?.segments
	const rules = [...edited, ...(saved ?? []).flatMap((segment) => segment.rules)]
	const named = rules.flatMap((rule) => ('campaign' in rule && rule.campaign) || [])
	const ids = [...new Set(named)].filter((id) => !latest?.some(({ _id }) => _id === id))
	return useQuery({
		queryKey: [campaigns.get.path, ids],
		queryFn: ({ signal }) =>
			Promise.all(ids.map(async (id) => (await call(campaigns.get, { params: { id }, signal })).campaign)),
		enabled: saved !== undefined && latest !== undefined,
	})
}

type RuleReadings = ReturnType<typeof useRuleReadings>

/** Returns the names that the queries have read, and none of a query without an answer. */
export function namesIn({ own, groups, campaigns: list, earlier, codes }: RuleReadings): RuleNames {
	const known = [...(list.data?.campaigns ?? []), ...(earlier.data ?? [])]
	return {
		tags: choicesOf(own.data?.tags ?? []),
		fields: own.data?.fields ?? [],
		groups: choicesOf(groups.data?.contactGroups ?? []),
		campaigns: choicesOf(known),
		linked: choicesOf(known.filter(({ countsClicks }) => countsClicks)),
		countries: (codes.data ?? []).map(({ code, countries }) => ({ value: code, label: `${countries} (+${code})` })),
	}
}

/** Returns the name of a value; a placeholder for a deleted one. */
export function labelIn(choices: readonly Choice[], value: string): string {
	return choices.find((choice) => choice.value === value)?.label ?? '(deleted)'
}
