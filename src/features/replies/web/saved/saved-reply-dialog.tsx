import { Button, FileButton, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { replies, SavedReplyBody, type SavedReply } from '#features/replies/contract.ts'
import { MAX_SHORTCUT_LENGTH, MAX_TEXT_LENGTH, REPLY_VARIABLES, tooLong } from '#features/replies/rules.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useAfterRender } from '#lib/web/ui/use-after-render.ts'
import { AttachmentChip } from '../attachment-chip.tsx'
import { ACCEPTED, attachmentError, withType } from '../attachment.ts'

/** Renders the dialog that adds a saved reply, or with a subject changes it. */
export function SavedReplyDialog({ dialog }: { dialog: DialogFor<SavedReply | null> }) {
	const { subject: reply, close } = dialog
	return (
		<FormDialog dialog={dialog} title={reply ? 'Edit saved reply' : 'Add saved reply'} size={560}>
			<ReplyForm key={reply?._id} reply={reply} onDone={close} />
		</FormDialog>
	)
}

type StoredFile = Pick<File, 'name' | 'type' | 'size'>

function ReplyForm({ reply, onDone }: { reply: SavedReply | null; onDone: () => void }) {
	const stored = reply?.file
	const [file, setFile] = useState<File | StoredFile | null>(stored ? { ...stored, size: stored.bytes } : null)
	const [fileError, setFileError] = useState<string | null>(null)
	const state = useSchemaForm({
		schema: SavedReplyBody,
		draft: `saved-reply:${reply?._id ?? 'new'}`,
		initialValues: { shortcut: reply?.shortcut ?? '', text: reply?.text ?? '' },
		submit: (body) => save(reply, body, file),
		saved: async ({ message }) => {
			briefToast.success(message)
			await invalidate(replies.saved)
			onDone()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save the reply'),
	})
	const { form } = state
	return (
		<Form state={state} missing={state.draft.state === 'restored' && 'A file has to be attached again.'}>
			<TextInput
				label="Short name"
				description="Type it after / in a chat."
				placeholder="bank-details"
				leftSection="/"
				autoComplete="off"
				autoCapitalize="none"
				required
				data-autofocus
				{...limited(MAX_SHORTCUT_LENGTH, form.getInputProps('shortcut'))}
			/>
			<ReplyText
				isCaption={file !== null}
				{...limited(MAX_TEXT_LENGTH, form.getInputProps('text'))}
				onInsert={(changed) => form.setFieldValue('text', changed)}
			/>
			<Stack gap={4}>
				{file ? (
					<AttachmentChip file={file} onRemove={() => setFile(null)} />
				) : (
					<ChooseFile
						onFile={(chosen) => {
							const error = attachmentError(chosen)
							setFileError(error)
							if (!error) setFile(withType(chosen))
						}}
					/>
				)}
				{fileError && (
					<p className="quiet faulty" role="alert">
						{fileError}
					</p>
				)}
			</Stack>
			<FormButtons>Save</FormButtons>
		</Form>
	)
}

function save(reply: SavedReply | null, body: { shortcut: string; text: string }, file: File | StoredFile | null) {
	const files = { file: file instanceof File ? file : null }
	if (!reply) return call(replies.addSaved, { body, files })
	const keepsFile = file ? 'true' : 'false'
	return call(replies.changeSaved, { params: { id: reply._id }, body: { ...body, keepsFile }, files })
}

function ChooseFile({ onFile }: { onFile: (file: File) => void }) {
	return (
		<Group gap={10}>
			<FileButton accept={ACCEPTED} onChange={(chosen) => chosen && onFile(chosen)}>
				{(props) => (
					<Button {...props} variant="default" leftSection={<IconPaperclip size={16} aria-hidden />}>
						Attach a file
					</Button>
				)}
			</FileButton>
			<span className="quiet">JPEG, PNG, MP4, 3GP or PDF</span>
		</Group>
	)
}

interface ReplyTextProps {
	value?: string
	error?: React.ReactNode
	/** True when the reply has a file, which shortens the longest text. */
	isCaption: boolean
	/** Receives the text after a button has added a variable to it. */
	onInsert: (text: string) => void
}

function ReplyText({ onInsert, isCaption, ...props }: ReplyTextProps) {
	const error = props.error ?? tooLong(props.value?.trim() ?? '', isCaption)
	const input = useRef<HTMLTextAreaElement>(null)
	// The render of the new text moves the caret to the end.
	const setCaret = useAfterRender((caret: number) => input.current?.setSelectionRange(caret, caret))
	const insert = (variable: string) => {
		const { value = '', selectionStart = value.length, selectionEnd = value.length } = input.current ?? {}
		onInsert(value.slice(0, selectionStart) + variable + value.slice(selectionEnd))
		input.current?.focus()
		setCaret(selectionStart + variable.length)
	}
	return (
		<Stack gap={6}>
			<Textarea ref={input} label="Text" autosize minRows={4} maxRows={10} dir="auto" {...props} error={error} />
			<Group gap={6} role="group" aria-label="Add a variable">
				{Object.entries(REPLY_VARIABLES).map(([name, label]) => (
					<Button key={name} type="button" variant="light" size="compact-sm" onClick={() => insert(`{{${name}}}`)}>
						{label}
					</Button>
				))}
			</Group>
		</Stack>
	)
}
