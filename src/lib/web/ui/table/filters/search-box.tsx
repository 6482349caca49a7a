import { Button, Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './search-box.module.css'

interface SearchBoxProps {
	/** Current search text, usually from `useSearchText()`. */
	value: string
	onSearch: (text: string) => void
	placeholder: string
	/** Label for screen readers; the placeholder by default. */
	label?: string
	/** True where the search is the main action of its screen. */
	isMain?: boolean
}

/** Renders a search that runs on Enter or its button, not while typing. Escape clears it. */
export function SearchBox({ value, onSearch, placeholder, label = placeholder, isMain = false }: SearchBoxProps) {
	const [text, setText] = useState(value)
	const [shown, setShown] = useState(value)
	// The URL changed in another way, such as by the back button.
	if (shown !== value) {
		setShown(value)
		setText(value)
	}
	const clear = () => {
		setText('')
		if (value) onSearch('')
	}
	return (
		<search className={styles.box}>
			<Group
				component="form"
				gap={8}
				align="stretch"
				onSubmit={(event) => {
					event.preventDefault()
					onSearch(text.trim())
				}}
			>
				<TextInput
					className={styles.input}
					style={{ '--characters': placeholder.length }}
					type="search"
					aria-label={label}
					placeholder={placeholder}
					leftSection={<IconSearch size={16} aria-hidden />}
					value={text}
					onChange={(event) => setText(event.currentTarget.value)}
					onKeyDown={(event) => event.key === 'Escape' && clear()}
				/>
				<Button type="submit" variant={isMain ? 'filled' : 'default'}>
					Search
				</Button>
			</Group>
		</search>
	)
}
