import { Button, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { readNewNumber } from '#features/chats/rules.ts'
import { NumberHint } from '#lib/web/ui/form/number-hint.tsx'
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
	const read = readNewNumber(typed)
	const submit = async (event: SyntheticEvent) => {
		event.preventDefault()
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
				description={'number' in read && <NumberHint number={read.number} />}
				inputWrapperOrder={['input', 'description', 'error']}
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
