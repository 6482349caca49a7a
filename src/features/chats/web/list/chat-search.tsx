import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'

/** Delay in milliseconds before a search, longer than the pause between two keystrokes. */
const DELAY_MS = 250

/** Renders the search field above the list. It searches while the user types; Escape clears it. */
export function ChatSearch({ onSearch }: { onSearch: (text: string) => void }) {
	const [text, setText] = useState('')
	const search = useDebouncedCallback(onSearch, DELAY_MS)
	const type = (typed: string) => {
		setText(typed)
		search(typed.trim())
		if (typed === '') search.flush()
	}
	return (
		<search className="grow">
			<TextInput
				type="search"
				aria-label="Search by name or number"
				placeholder="Search by name or number"
				leftSection={<IconSearch size={16} aria-hidden />}
				rightSection={
					text && (
						<ActionIcon color="gray" size={28} aria-label="Clear the search" onClick={() => type('')}>
							<IconX size={16} aria-hidden />
						</ActionIcon>
					)
				}
				value={text}
				onChange={(event) => type(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter') search.flush()
					if (event.key !== 'Escape' || !text) return
					event.stopPropagation()
					type('')
				}}
			/>
		</search>
	)
}
