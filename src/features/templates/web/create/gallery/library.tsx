import { Button, Group, Select, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TEMPLATE_LANGUAGES } from '#features/templates/languages.ts'
import { LIBRARY_TOPICS, templateLibrary, type LibraryTemplate } from '#features/templates/library-contract.ts'
import { fillVariables } from '#features/templates/placeholders.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { query } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { SearchBox } from '#lib/web/ui/table/filters/search-box.tsx'
import { TOPIC_NAMES } from './library-fields.ts'
import styles from './gallery.module.css'

interface LibraryProps {
	onChoose: (text: LibraryTemplate, title: string) => void
}

type Topic = (typeof LIBRARY_TOPICS)[number]

interface Wanted {
	search: string
	topic: Topic | undefined
	language: string
}

const TOPICS = [
	{ value: '', label: 'All' },
	...LIBRARY_TOPICS.map((value) => ({ value, label: TOPIC_NAMES[value] ?? value })),
]
const LANGUAGES = TEMPLATE_LANGUAGES.map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))

/** Renders the search of WhatsApp's library and its texts, page by page. */
export function Library({ onChoose }: LibraryProps) {
	const [wanted, setWanted] = useState<Wanted>({ search: '', topic: undefined, language: 'en_US' })
	const change = (part: Partial<Wanted>) => setWanted({ ...wanted, ...part })
	return (
		<>
			<Group gap="12px 16px" align="flex-end">
				<SearchBox value={wanted.search} onSearch={(search) => change({ search })} placeholder="Search the library" />
				<Select
					aria-label="Language of the library"
					searchable
					allowDeselect={false}
					nothingFoundMessage="No matching language"
					data={LANGUAGES}
					value={wanted.language}
					onChange={(language) => change({ language: language ?? 'en_US' })}
				/>
			</Group>
			<FilterChips
				label="Topic"
				value={wanted.topic ?? ''}
				options={TOPICS}
				onChange={(topic) => change({ topic: LIBRARY_TOPICS.find((known) => known === topic) })}
			/>
			<Pages key={JSON.stringify(wanted)} wanted={wanted} onChoose={onChoose} />
		</>
	)
}

interface PagesProps extends LibraryProps {
	wanted: Wanted
}

function Pages({ wanted, onChoose }: PagesProps) {
	const [cursors, setCursors] = useState([''])
	return (
		<>
			{cursors.map((after, index) => (
				<Page
					key={after}
					wanted={wanted}
					after={after}
					onChoose={onChoose}
					onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
				/>
			))}
		</>
	)
}

interface PageProps extends PagesProps {
	after: string
	/** Shows the next page; null when it is shown. */
	onMore: ((next: string) => void) | null
}

function Page({ wanted, after, onChoose, onMore }: PageProps) {
	// Each search is one of the few calls that WhatsApp allows an hour, and the library rarely changes.
	const page = useQuery({ ...query(templateLibrary.search, { query: { ...wanted, after } }), staleTime: HOUR_MS })
	if (page.isPending) return <Skeleton height={320} role="status" aria-label="Loading the library" />
	if (!page.data) return <LoadError message={page.error.message || 'Failed to search the library'} reading={page} />
	const { templates: texts, next } = page.data
	if (texts.length === 0 && after === '' && next === null)
		return <EmptyState title="No text found" hint="Try another word, topic or language." />
	return (
		<>
			<ul className={`bare ${styles.list}`} lang={wanted.language.replace('_', '-')}>
				{texts.map((text) => (
					<LibraryCard key={`${text.name} ${text.language}`} text={text} onChoose={onChoose} />
				))}
			</ul>
			{onMore && next !== null && (
				<Button variant="default" onClick={() => onMore(next)}>
					Show more
				</Button>
			)}
		</>
	)
}

function LibraryCard({ text, onChoose }: { text: LibraryTemplate } & LibraryProps) {
	const title = templateTitle(text.name)
	const buttons = text.buttons.map((button) => button.text).filter(Boolean)
	return (
		<li className={styles.card}>
			<b lang="en">{title}</b>
			{text.header && <p className={`small ${styles.header}`}>{text.header}</p>}
			<p className="small">{fillVariables(text.body, (variable) => text.bodyExamples[Number(variable) - 1])}</p>
			{buttons.length > 0 && <p className={`small ${styles.buttons}`}>{buttons.join(' · ')}</p>}
			<span className="fine" lang="en">
				{['Utility', ...(text.topic ? [TOPIC_NAMES[text.topic] ?? templateTitle(text.topic.toLowerCase())] : [])].join(
					' · ',
				)}
			</span>
			<Button lang="en" variant="default" aria-label={`Use this text: ${title}`} onClick={() => onChoose(text, title)}>
				Use this text
			</Button>
		</li>
	)
}
