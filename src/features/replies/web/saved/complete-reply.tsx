import { Box, TextInput } from '@mantine/core'
import type { SavedReply } from '#features/replies/contract.ts'
import { fillVariables, MAX_VALUE_LENGTH, REPLY_VARIABLES, type ReplyVariable } from '#features/replies/rules.ts'
import { useSchemaForm, type FieldErrors } from '#lib/web/form.ts'
import { lengthError, limited } from '#lib/web/limited.ts'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

type Values = Partial<Record<ReplyVariable, string>>

export interface CompleteReplyProps {
	reply: SavedReply
	/** Values that are known, such as the customer's name. */
	known: Values
	/** Variables to ask for, in the order of the text. */
	missing: readonly ReplyVariable[]
	onClose: () => void
	onDone: (values: Values) => Promise<unknown>
}

/** Renders the dialog that asks for the values which the chat does not know, above the text as it will be inserted. */
export function CompleteReply(props: CompleteReplyProps) {
	return (
		<FormDialog dialog={{ opened: true, close: props.onClose }} title="Complete the reply" size={480}>
			<ValuesForm {...props} />
		</FormDialog>
	)
}

function ValuesForm({ reply, known, missing, onDone }: CompleteReplyProps) {
	const state = useSchemaForm<Values>({
		initialValues: Object.fromEntries(missing.map((name) => [name, ''])),
		schema: (values) => missingValues(missing, values),
		submit: (values) => onDone({ ...known, ...trimmed(values) }),
	})
	const { form } = state
	return (
		<Form state={state}>
			{missing.map((name, position) => (
				<TextInput
					key={name}
					label={REPLY_VARIABLES[name]}
					required
					autoComplete="off"
					data-autofocus={position === 0 || undefined}
					{...limited(MAX_VALUE_LENGTH, form.getInputProps(name))}
				/>
			))}
			<Box className="well whole lines" p={10} aria-label="The reply" role="group">
				<UserText text={fillVariables(reply.text, { ...known, ...trimmed(form.values) })} />
			</Box>
			<FormButtons busyText="Inserting...">Insert</FormButtons>
		</Form>
	)
}

function missingValues(missing: readonly ReplyVariable[], values: Values): FieldErrors {
	const errors: FieldErrors = {}
	for (const name of missing) {
		const value = values[name]?.trim() ?? ''
		const error =
			value === '' ? `Enter the ${REPLY_VARIABLES[name].toLowerCase()}` : lengthError(MAX_VALUE_LENGTH, value)
		if (error) errors[name] = error
	}
	return errors
}

function trimmed(values: Values): Values {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]))
}
