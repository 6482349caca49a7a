import { TextInput } from '@mantine/core'
import { readNewNumber } from '#features/chats/rules.ts'
import { useSchemaForm, type FieldErrors } from '#lib/web/form.ts'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { NumberHint } from '#lib/web/ui/form/number-hint.tsx'
import styles from './list.module.css'

export interface NewChatProps {
	/** With the number's digits. */
	onStart: (number: string) => Promise<void>
	onClose: () => void
}

export function NewChat({ onStart, onClose }: NewChatProps) {
	const state = useSchemaForm({
		schema: ({ typed }): FieldErrors => {
			const read = readNewNumber(typed)
			return 'error' in read ? { typed: read.error } : {}
		},
		initialValues: { typed: '' },
		submit: async ({ typed }) => {
			const read = readNewNumber(typed)
			if ('number' in read) await onStart(read.number)
		},
	})
	const { form } = state
	const read = readNewNumber(form.values.typed)
	return (
		<Form className={styles.newChat} label="New chat" state={state}>
			<TextInput
				type="tel"
				aria-label="Phone number"
				placeholder="Phone number"
				autoComplete="off"
				data-autofocus
				ref={(node) => node?.focus({ preventScroll: true })}
				description={'number' in read && <NumberHint number={read.number} />}
				inputWrapperOrder={['input', 'description', 'error']}
				{...form.getInputProps('typed')}
				onKeyDown={(event) => {
					if (event.key !== 'Escape') return
					event.stopPropagation()
					onClose()
				}}
			/>
			<SubmitButton>Start</SubmitButton>
		</Form>
	)
}
