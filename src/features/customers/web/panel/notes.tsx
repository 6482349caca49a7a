import { ActionIcon, Box, Group, Stack, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { customers, MAX_NOTE_LENGTH, NoteBody, type Note } from '#features/customers/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { invalidate } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { BusyButton } from '#lib/web/ui/form/busy-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useAction } from '#lib/web/use-action.ts'

/** Renders the notes about a customer, the newest first, below the form that adds one. */
export function Notes({ number, notes }: { number: string; notes: readonly Note[] }) {
	return (
		<>
			<AddNote number={number} />
			{notes.length > 0 && (
				<Stack component="ul" className="bare" gap={8}>
					{notes.map((note) => (
						<NoteItem key={note._id} note={note} />
					))}
				</Stack>
			)}
		</>
	)
}

function AddNote({ number }: { number: string }) {
	const { form, busy, onSubmit } = useSchemaForm({
		draft: `customer-note:${number}`,
		schema: NoteBody,
		initialValues: { text: '' },
		submit: (body) => call(customers.addNote, { params: { number }, body }),
		saved: async () => {
			form.reset()
			await invalidate(customers.get)
		},
		failed: (error) => chatToast.failure(error, 'Failed to save the note'),
	})
	return (
		<form aria-label="New note" noValidate onSubmit={onSubmit}>
			<Textarea
				aria-label="Note"
				placeholder="Such as: prefers silk, call after 6 pm"
				autosize
				minRows={2}
				maxRows={6}
				dir="auto"
				{...limited(MAX_NOTE_LENGTH, form.getInputProps('text'))}
			/>
			<BusyButton type="submit" variant="default" size="xs" mt={8} busy={busy} busyText="Saving...">
				Add note
			</BusyButton>
		</form>
	)
}

function NoteItem({ note: { _id: id, text, createdAt, author } }: { note: Note }) {
	const { busy, run } = useAction()
	const remove = async () => {
		await call(customers.removeNote, { params: { id } })
		await invalidate(customers.get)
	}
	return (
		<Group component="li" className="well" gap={4} py={6} pl={10} pr={4} align="flex-start" wrap="nowrap">
			<div className="grow">
				<Box className="whole" style={{ whiteSpace: 'pre-wrap' }}>
					<UserText text={text} />
				</Box>
				<span className="fine">
					<DateTime iso={createdAt} as="day" />
					{author && <UserText text={`, ${author}`} />}
				</span>
			</div>
			<ActionIcon
				color="gray"
				title="Delete note"
				aria-label={`Delete note ${text.slice(0, 40)}`}
				aria-busy={busy}
				onClick={() => run(remove, (error) => chatToast.failure(error, 'Failed to delete the note'))}
			>
				<IconTrash size={16} aria-hidden />
			</ActionIcon>
		</Group>
	)
}
