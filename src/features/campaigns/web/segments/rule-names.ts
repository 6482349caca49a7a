import { queryOptions, useQuery } from '@tanstack/react-query'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import type { FieldRow } from '#features/contacts/own-fields-contract.ts'
import { allOwnFields } from '#features/contacts/web/own-fields.ts'
import { query } from '#lib/web/query.ts'
import { choicesOf, type Choice } from '#lib/web/ui/form/choices.ts'

/** What rules can be about, to choose from and to name them. */
export interface RuleNames {
	tags: Choice[]
	fields: FieldRow[]
	groups: Choice[]
	campaigns: Choice[]
	/** Those of them whose clicks are counted: of the others everybody would seem not to have clicked. */
	linked: Choice[]
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
		own: useQuery(allOwnFields),
		groups: useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		campaigns: useQuery(query(campaigns.list, { query: { limit: 100 } })),
		codes: useQuery(callingCodes),
	}
}

type RuleReadings = ReturnType<typeof useRuleReadings>

/** None of what has not been read. */
export function namesIn({ own, groups, campaigns: list, codes }: RuleReadings): RuleNames {
	return {
		tags: choicesOf(own.data?.tags ?? []),
		fields: own.data?.fields ?? [],
		groups: choicesOf(groups.data?.contactGroups ?? []),
		campaigns: choicesOf(list.data?.campaigns ?? []),
		linked: choicesOf(list.data?.campaigns.filter(({ countsClicks }) => countsClicks) ?? []),
		countries: (codes.data ?? []).map(({ code, countries }) => ({ value: code, label: `${countries} (+${code})` })),
	}
}

/** What was deleted has no name. */
export function labelIn(choices: readonly Choice[], value: string): string {
	return choices.find((choice) => choice.value === value)?.label ?? '(deleted)'
}
