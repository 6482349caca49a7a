import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionUser } from '#features/auth/contract.ts'
import { plural } from '#lib/numbers.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { useSearchOptions } from '#lib/web/ui/state/use-search-options.ts'
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
	const navigate = useNavigate()
	const { groups, status } = useResults(user, text)
	const go = ({ to }: Destination) => {
		onClose()
		void navigate(to)
	}
	const options = useSearchOptions(
		groups.flatMap(({ destinations }) => destinations),
		go,
	)
	return (
		<>
			<TextInput
				classNames={{ root: styles.field, input: styles.input }}
				aria-label="Go to a screen or search by name"
				placeholder="Search for a screen or a name"
				leftSection={<IconSearch size={18} aria-hidden />}
				data-autofocus
				value={text}
				onChange={(event) => {
					setText(event.currentTarget.value)
					options.restart()
				}}
				{...options.field}
			/>
			<PaletteList groups={groups} options={options} />
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
