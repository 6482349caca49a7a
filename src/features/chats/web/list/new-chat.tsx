import { TextInput } from '@mantine/core'
import { useSchemaForm, type FieldErrors } from '#lib/web/form.ts'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { NumberHint } from '#lib/web/ui/form/number-hint.tsx'
import { useLoaded } from '#lib/web/use-loaded.ts'
import styles from './list.module.css'

export interface NewChatProps {
	/** Receives the number's digits. */
	onStart: (number: string) => Promise<void>
	onClose: () => void
}

const loadReader = () => import('#features/chats/new-number.ts')

export function NewChat({ onStart, onClose }: NewChatProps) {
	const reader = useLoaded(loadReader)
	const state = useSchemaForm({
		schema: ({ typed }): FieldErrors => {
			const read = reader?.readNewNumber(typed)
			return read && 'error' in read ? { typed: read.error } : {}
		},
		initialValues: { typed: '' },
		submit: async ({ typed }) => {
			const read = (await loadReader()).readNewNumber(typed)
			if ('number' in read) await onStart(read.number)
			else state.form.setFieldError('typed', read.error)
		},
	})
	const { form } = state
	const read = reader?.readNewNumber(form.values.typed)
	return (
		<Form className={styles.newChat} label="New chat" state={state}>
			<TextInput
				type="tel"
				aria-label="Phone number"
				placeholder="Phone number"
				autoComplete="off"
				data-autofocus
				ref={(node) => node?.focus({ preventScroll: true })}
				description={read && 'number' in read && <NumberHint typed={`+${read.number}`} />}
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
