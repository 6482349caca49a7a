import { TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { TypedContact } from '../typed-contact.ts'
import type { ContactRow } from './csv/contacts-file.ts'
import styles from './upload.module.css'

interface CorrectRowProps {
	row: ContactRow
	onSave: (typed: TypedPerson) => Promise<void>
	onCancel: () => void
}

/** Renders the form below a row that replaces the row's cells for the upload. The file itself is not changed. */
export function CorrectRow({ row: { row, firstName, lastName, number }, onSave, onCancel }: CorrectRowProps) {
	const state = useSchemaForm({
		schema: TypedContact,
		initialValues: { firstName, lastName, number },
		submit: onSave,
	})
	const { form } = state
	const box = useRef<HTMLDivElement>(null)
	useHotkeys([['Escape', onCancel]], [])
	useEffect(() => box.current?.querySelector('input')?.focus(), [])
	return (
		<div ref={box} className={styles.correct}>
			<Form state={state} label={`Row ${row}`}>
				<div className={styles.fields}>
					<TextInput label="First name" autoComplete="off" required {...form.getInputProps('firstName')} />
					<TextInput label="Last name" autoComplete="off" {...form.getInputProps('lastName')} />
					<TextInput label="Number" type="tel" autoComplete="off" required {...form.getInputProps('number')} />
				</div>
				<FormButtons onCancel={onCancel}>Use this</FormButtons>
			</Form>
		</div>
	)
}
