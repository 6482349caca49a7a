import { useQuery } from '@tanstack/react-query'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { query } from '#lib/web/query.ts'

/** Returns the languages in which Meta lists a template of this name; undefined while loading. */
export function useVersions(template: TemplateRow | null): string[] | undefined {
	const name = template?.name ?? ''
	const { data } = useQuery({
		...query(templates.list, { query: { search: name, limit: 1000 } }),
		enabled: name !== '',
	})
	// The search also finds longer names.
	return data?.templates.filter((other) => other.name === name && !other.isGone).map(({ language }) => language)
}
