import { Button, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { readNewNumber } from '#features/chats/rules.ts'
import styles from './list.module.css'

interface NewChatProps {
	/** With the number's digits. */
	onStart: (number: string) => Promise<void>
	onClose: () => void
}

export function NewChat({ onStart, onClose }: NewChatProps) {
	const [typed, setTyped] = useState('')
	const [error, setError] = useState<string | null>(null)
	const [busy, setBusy] = useState(false)
	const submit = async (event: SyntheticEvent) => {
		event.preventDefault()
		const read = readNewNumber(typed)
		if ('error' in read) return setError(read.error)
		setBusy(true)
		await onStart(read.number).finally(() => setBusy(false))
	}
	return (
		<form className={styles.newChat} aria-label="New chat" onSubmit={(event) => void submit(event)} noValidate>
			<TextInput
				type="tel"
				aria-label="Phone number"
				placeholder="Phone number"
				autoComplete="off"
				data-autofocus
				ref={(node) => node?.focus({ preventScroll: true })}
				value={typed}
				error={error}
				aria-invalid={Boolean(error)}
				onChange={(event) => {
					setTyped(event.currentTarget.value)
					setError(null)
				}}
				onKeyDown={(event) => {
					if (event.key !== 'Escape') return
					event.stopPropagation()
					onClose()
				}}
			/>
			<Button type="submit" disabled={busy} aria-busy={busy}>
				Start
			</Button>
		</form>
	)
}
