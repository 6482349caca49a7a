import { Button, Group } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import type { ViewCounts } from '#features/inbox/contract.ts'
import { ChatFilters } from '#features/inbox/web/parts.tsx'
import { useListFilter } from '#features/inbox/web/use-list-filter.ts'
import { ViewChips } from '#features/inbox/web/view-chips.tsx'
import { ChatSearch } from './chat-search.tsx'
import styles from './list.module.css'

interface ListToolsProps {
	/** Null in an account of one person, who needs no views. */
	counts: ViewCounts
	onSearch: (text: string) => void
}

/** Renders the search, the filters and the views above the list. */
export function ListTools({ counts, onSearch }: ListToolsProps) {
	const [{ tag, campaign }] = useListFilter()
	const set = Number(tag !== undefined) + Number(campaign !== undefined)
	const [isOpen, setIsOpen] = useState(set > 0)
	const name = set > 0 ? `Filters (${set})` : 'Filters'
	return (
		<>
			<Group gap={4} wrap="nowrap">
				<ChatSearch onSearch={onSearch} />
				<Button
					color={set > 0 ? undefined : 'gray'}
					variant={set > 0 ? 'filled' : 'subtle'}
					px={6}
					aria-label={name}
					aria-expanded={isOpen}
					onClick={() => setIsOpen((old) => !old)}
				>
					<IconFilter size={20} aria-hidden />
					<span className={styles.word}>&nbsp;{name}</span>
				</Button>
			</Group>
			{isOpen && <ChatFilters />}
			{counts && <ViewChips counts={counts} />}
		</>
	)
}
