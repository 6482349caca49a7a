import { queryOptions, useQuery } from '@tanstack/react-query'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { ownFields, type FieldRow } from '#features/contacts/own-fields-contract.ts'
import { withoutOverrides } from '#lib/bidi.ts'
import { query } from '#lib/web/query.ts'

export interface Choice {
	value: string
	label: string
}

/** What rules can be about, to choose from and to name them. */
export interface RuleNames {
	tags: Choice[]
	fields: FieldRow[]
	groups: Choice[]
	campaigns: Choice[]
	countries: Choice[]
}

// The plans of all countries are larger than this screen.
const callingCodes = queryOptions({
	queryKey: ['calling codes'],
	queryFn: async () => (await import('#lib/phone-plan.ts')).listCallingCodes(),
	staleTime: Infinity,
})

/** What names in rules are read from. */
export function useRuleReadings() {
	return {
		own: useQuery(query(ownFields.list)),
		groups: useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		campaigns: useQuery(query(campaigns.list, { query: { limit: 100 } })),
		codes: useQuery(callingCodes),
	}
}

export function useRuleNames(): RuleNames {
	const { own, groups, campaigns: list, codes } = useRuleReadings()
	return {
		tags: (own.data?.tags ?? []).map(choiceOf),
		fields: own.data?.fields ?? [],
		groups: (groups.data?.contactGroups ?? []).map(choiceOf),
		campaigns: (list.data?.campaigns ?? []).map(choiceOf),
		countries: (codes.data ?? []).map(({ code, countries }) => ({ value: code, label: `${countries} (+${code})` })),
	}
}

function choiceOf({ _id, name }: { _id: string; name: string }): Choice {
	return { value: _id, label: withoutOverrides(name) }
}

/** What was deleted has no name. */
export function labelIn(choices: readonly Choice[], value: string): string {
	return choices.find((choice) => choice.value === value)?.label ?? '(deleted)'
}
