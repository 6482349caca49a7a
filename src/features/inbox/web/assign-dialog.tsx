import { Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MAX_NOTE_LENGTH } from '#features/customers/contract.ts'
import { inbox } from '#features/inbox/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm, type FieldErrors } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { query } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { choicesOf } from '#lib/web/ui/form/choices.ts'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import type { ShownState } from './chat-state.tsx'

interface AssignDialogProps {
	dialog: DialogFor<ShownState>
	/** The chat as it is now: after a refusal it differs from the one that the dialog was opened for. */
	chat: ShownState
	/** Id of the signed-in person. */
	me: string
	refresh: () => Promise<void>
}

/** Renders the dialog that gives a chat to a person, with a note for that person, or makes it unassigned. */
export function AssignDialog({ dialog, chat, ...rest }: AssignDialogProps) {
	const subject = dialog.subject?.number === chat.number ? chat : dialog.subject
	const { data, isPending } = useQuery(query(inbox.people))
	return (
		<FormDialog dialog={dialog} title={subject?.assignee ? 'Hand over the chat' : 'Assign the chat'} size={420}>
			{subject && !isPending && (
				<AssignForm chat={subject} people={data?.people ?? []} onDone={dialog.close} {...rest} />
			)}
		</FormDialog>
	)
}

/** Value of the choice of no assignee. */
const NOBODY = 'nobody'

interface AssignFormProps extends Omit<AssignDialogProps, 'dialog'> {
	people: readonly { _id: string; name: string }[]
	onDone: () => void
}

function AssignForm({ chat: { number, assignee }, people, me, refresh, onDone }: AssignFormProps) {
	const named = choicesOf(people).map(({ value, label }) => ({
		value,
		label: value === me ? `${label} (you)` : label,
	}))
	const others = named.filter(({ value }) => value !== assignee?._id)
	const state = useSchemaForm({
		// The only colleague needs no choice.
		initialValues: { to: (others.length === 1 && others[0]?.value) || null, note: '' },
		schema: ({ to }): FieldErrors => (to === null ? { to: 'Choose a person' } : {}),
		submit: ({ to, note }) =>
			call(inbox.assign, {
				body: { number, to: to === NOBODY ? null : to, from: assignee?._id ?? null, note: to === NOBODY ? '' : note },
			}),
		saved: async () => {
			await refresh()
			onDone()
		},
		failed: (error) => {
			chatToast.failure(error, 'The chat could not be assigned')
			void refresh()
		},
	})
	const { form } = state
	return (
		<Form state={state} label={assignee ? 'Hand over the chat' : 'Assign the chat'}>
			<Select
				label="Person"
				placeholder="Choose a person"
				required
				searchable={others.length > 7}
				allowDeselect={false}
				data={assignee ? [...others, { value: NOBODY, label: 'Nobody (unassigned)' }] : others}
				{...form.getInputProps('to')}
			/>
			<Textarea
				label="Note"
				description="Your colleagues see it. The customer does not."
				autosize
				minRows={2}
				maxRows={6}
				dir="auto"
				disabled={form.values.to === NOBODY}
				{...limited(MAX_NOTE_LENGTH, form.getInputProps('note'))}
			/>
			<FormButtons>{assignee ? 'Hand over' : 'Assign'}</FormButtons>
		</Form>
	)
}
