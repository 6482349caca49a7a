import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent } from 'react'
import type { SessionUser } from '#features/auth/contract.ts'
import { plural } from '#lib/numbers.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { screensFor, type Destination, type DestinationGroup } from './destinations.ts'
import { PaletteList } from './palette-list.tsx'
import { searchServer } from './server-search.ts'
import styles from './palette.module.css'

interface PaletteProps {
	user: SessionUser
	opened: boolean
	onClose: () => void
}

const MIN_SEARCH_LENGTH = 2
const DEBOUNCE_MS = 200

/** Renders the palette, which opens any screen, campaign, contact, template or user by name. */
export function Palette({ user, opened, onClose }: PaletteProps) {
	return (
		<Modal
			opened={useSeenOpening(opened)}
			onClose={onClose}
			withCloseButton={false}
			padding={0}
			size={560}
			centered={false}
			yOffset="12vh"
			attributes={{ content: { 'aria-label': 'Go to' } }}
		>
			<PaletteSearch user={user} onClose={onClose} />
		</Modal>
	)
}

function PaletteSearch({ user, onClose }: Omit<PaletteProps, 'opened'>) {
	const [text, setText] = useState('')
	const [active, setActive] = useState(0)
	const navigate = useNavigate()
	const listId = useId()
	const { groups, status } = useResults(user, text)
	const all = groups.flatMap(({ destinations }) => destinations)
	// Keeps the index in range while the results change.
	const current = Math.min(active, all.length - 1)
	const go = ({ to }: Destination) => {
		onClose()
		void navigate(to)
	}
	const onKeyDown = (event: KeyboardEvent) => {
		const chosen = all[current]
		if (event.nativeEvent.isComposing || !chosen) return
		if (event.key === 'ArrowDown') setActive((current + 1) % all.length)
		else if (event.key === 'ArrowUp') setActive((current + all.length - 1) % all.length)
		else if (event.key === 'Enter') go(chosen)
		else return
		event.preventDefault()
	}
	return (
		<>
			<TextInput
				classNames={{ root: styles.field, input: styles.input }}
				role="combobox"
				aria-label="Go to a screen or search by name"
				aria-expanded={all.length > 0}
				aria-controls={listId}
				aria-activedescendant={all.length > 0 ? `${listId}-${current}` : undefined}
				aria-autocomplete="list"
				autoComplete="off"
				placeholder="Search for a screen or a name"
				leftSection={<IconSearch size={18} aria-hidden />}
				data-autofocus
				value={text}
				onChange={(event) => {
					setText(event.currentTarget.value)
					setActive(0)
				}}
				onKeyDown={onKeyDown}
			/>
			<PaletteList id={listId} groups={groups} active={current} onActive={setActive} onChoose={go} />
			<p className={`fine ${styles.status}`} role="status">
				{status}
			</p>
		</>
	)
}

/** Returns matching screens immediately, and from two letters on the server's results. */
function useResults(user: SessionUser, text: string): { groups: DestinationGroup[]; status: string } {
	const [search] = useDebouncedValue(text.trim(), DEBOUNCE_MS)
	const isSearch = text.trim().length >= MIN_SEARCH_LENGTH
	const found = useQuery({
		queryKey: ['palette', user.role, search],
		queryFn: () => searchServer(user.role, search),
		enabled: isSearch && search.length >= MIN_SEARCH_LENGTH,
		placeholderData: keepPreviousData,
	})
	const groups = [
		{ name: 'Screens', destinations: screensFor(user, text) },
		...(isSearch ? (found.data?.groups ?? []) : []),
	]
	const count = groups.reduce((sum, { destinations }) => sum + destinations.length, 0)
	const isWaiting = isSearch && (found.isFetching || search !== text.trim())
	const isIncomplete = isSearch && (found.isError || found.data?.isIncomplete === true)
	return {
		groups: groups.filter(({ destinations }) => destinations.length > 0),
		status: isWaiting
			? 'Searching...'
			: isIncomplete
				? 'Some results could not be loaded. Please try again.'
				: count === 0
					? `Nothing found for “${text.trim()}”`
					: plural(count, 'result'),
	}
}
