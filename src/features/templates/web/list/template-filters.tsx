import { Select } from '@mantine/core'
import { FilterChips } from '#lib/web/ui/table/filter-chips.tsx'
import { SearchBox } from '#lib/web/ui/table/search-box.tsx'
import { languageName } from '../language-name.ts'
import { STATUSES, type useTemplateList } from './use-template-list.ts'
import styles from './templates.module.css'

const CATEGORIES = [
	{ value: 'MARKETING', label: 'Marketing' },
	{ value: 'UTILITY', label: 'Utility' },
	{ value: 'AUTHENTICATION', label: 'Authentication' },
]

/** The list's filters, kept in the URL. */
export function TemplateFilters(props: ReturnType<typeof useTemplateList>) {
	const { list, filters, setSearch, setStatus, setCategory, setLanguage } = props
	const languages = new Set([...(list.data?.languages ?? []), filters.language].filter(Boolean))
	return (
		<div className="toolbar" style={{ columnGap: 16 }}>
			<SearchBox value={filters.search} onSearch={setSearch} placeholder="Search by template name" />
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
		</div>
	)
}
