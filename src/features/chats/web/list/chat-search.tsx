import { ActionIcon, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

/** Longer than the pause between two keystrokes. */
const DELAY_MS = 250

interface ChatSearchProps {
	onSearch: (text: string) => void
}

/** The search field over the list: searches while typing; Escape clears it. */
export function ChatSearch({ onSearch }: ChatSearchProps) {
	const [text, setText] = useState('')
	const latest = useRef(onSearch)
	useEffect(() => {
		latest.current = onSearch
	})
	useEffect(() => {
		const timer = setTimeout(() => latest.current(text.trim()), text === '' ? 0 : DELAY_MS)
		return () => clearTimeout(timer)
	}, [text])
	return (
		<search>
			<TextInput
				type="search"
				aria-label="Search by name or number"
				placeholder="Search by name or number"
				leftSection={<IconSearch size={16} aria-hidden />}
				rightSection={
					text && (
						<ActionIcon color="gray" size={28} aria-label="Clear the search" onClick={() => setText('')}>
							<IconX size={16} aria-hidden />
						</ActionIcon>
					)
				}
				value={text}
				onChange={(event) => setText(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter') latest.current(text.trim())
					if (event.key !== 'Escape' || !text) return
					event.stopPropagation()
					setText('')
				}}
			/>
		</search>
	)
}
