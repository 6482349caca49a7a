import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TEMPLATE_SORTS, templates } from '#features/templates/contract.ts'
import { paged } from '#lib/web/query.ts'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { Filters } from '#lib/web/ui/table/filters/filters.tsx'
import { useListPage } from '#lib/web/ui/table/list-card.tsx'
import { useSort } from '#lib/web/ui/table/use-sort.ts'
import { languageName } from '../language-name.ts'
import styles from './templates.module.css'

const CATEGORIES = [
	{ value: 'MARKETING', label: 'Marketing' },
	{ value: 'UTILITY', label: 'Utility' },
	{ value: 'AUTHENTICATION', label: 'Authentication' },
]

/** Renders the filters of the list, which the URL stores. */
export function TemplateFilters(props: ReturnType<typeof useTemplateList>) {
	const { list, filters, setStatus, setCategory, setLanguage } = props
	const languages = new Set([...(list.data?.languages ?? []), filters.language].filter(Boolean))
	return (
		<Filters set={Object.values(filters).filter(Boolean).length}>
			<div className={styles.selects}>
				<Select
					aria-label="Category"
					placeholder="All categories"
					data={CATEGORIES}
					clearable
					clearButtonProps={{ 'aria-label': 'All categories' }}
					value={filters.category || null}
					onChange={(category) => setCategory(category ?? '')}
				/>
				<Select
					aria-label="Language"
					placeholder="All languages"
					data={[...languages].map((code) => ({ value: code, label: languageName(code) }))}
					searchable
					clearable
					clearButtonProps={{ 'aria-label': 'All languages' }}
					nothingFoundMessage="None of your templates"
					value={filters.language || null}
					onChange={(language) => setLanguage(language ?? '')}
				/>
			</div>
			<FilterChips label="Status" value={filters.status} options={STATUSES} onChange={setStatus} />
		</Filters>
	)
}

const STATUSES = [
	{ value: '', label: 'All' },
	{ value: 'APPROVED', label: 'Approved' },
	{ value: 'PENDING', label: 'Pending' },
	{ value: 'REJECTED', label: 'Rejected' },
	{ value: 'PAUSED', label: 'Paused' },
	{ value: 'DISABLED', label: 'Disabled' },
] as const

/** Returns the page of templates that the URL asks for, with setters that change the URL. */
export function useTemplateList() {
	const shown = useListPage()
	const [status, setStatus] = useSearchText('status')
	const [category, setCategory] = useSearchText('category')
	const [language, setLanguage] = useSearchText('language')
	const { sort, order, tableSort } = useSort(TEMPLATE_SORTS, { sort: 'createdAt', order: 'desc' })
	const filters = { status, category, language }
	const list = useQuery(paged(templates.list, { query: { ...shown.query, ...filters, sort, order } }))
	return {
		shown,
		list,
		filters,
		tableSort,
		isFiltered: [shown.search, ...Object.values(filters)].some(Boolean),
		setStatus,
		setCategory,
		setLanguage,
	}
}
