import { ActionIcon, Anchor, Group, Textarea } from '@mantine/core'
import { IconSend2, IconX } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import { NOTHING_TO_SEND, tooLong } from '#features/chats/rules.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { send } from '../outbox.ts'
import { AttachmentChip } from './attachment-chip.tsx'
import { FilePicker } from './file-picker.tsx'
import { ReplyPrice } from './reply-price.tsx'
import { EMPTY_DRAFT, type Draft } from './use-draft.ts'
import styles from './composer.module.css'

interface ComposerProps {
	number: string
	draft: Draft
	onChange: (part: Partial<Draft>) => void
	/** Called with a chosen or pasted file, before it is checked. */
	onFile: (file: File) => void
	input: React.RefObject<HTMLTextAreaElement | null>
}

/** Renders the input of a message: Enter sends, Shift+Enter starts a new line. */
export function Composer({ number, draft, onChange, onFile, input }: ComposerProps) {
	const { text, file, replyTo } = draft
	const { submit, discard, undo } = useActions(number, draft, (next) => {
		onChange(next)
		input.current?.focus()
	})
	const isEmpty = !text && !file
	return (
		<form
			className={styles.composer}
			aria-label="New message"
			onSubmit={(event) => {
				event.preventDefault()
				submit()
			}}
		>
			{replyTo && <Answered text={replyTo.text} onRemove={() => onChange({ replyTo: null })} />}
			{file && <AttachmentChip file={file} onRemove={() => onChange({ file: null })} />}
			<Group gap={4} align="flex-end" wrap="nowrap">
				<FilePicker onFile={onFile} />
				<Textarea
					ref={input}
					className={styles.input}
					aria-label="Message"
					placeholder={file ? 'Add a caption' : 'Type a message'}
					minRows={1}
					maxRows={6}
					dir="auto"
					value={text}
					onChange={(event) => onChange({ text: event.currentTarget.value })}
					onKeyDown={(event) => {
						if (event.key === 'Escape' && replyTo) {
							event.preventDefault()
							onChange({ replyTo: null })
						}
						if (!isEnter(event)) return
						event.preventDefault()
						submit()
					}}
					onPaste={(event) => {
						const [pasted] = event.clipboardData.files
						if (!pasted) return
						event.preventDefault()
						onFile(pasted)
					}}
				/>
				{!isEmpty && (
					<ActionIcon title="Discard draft" color="gray" size={40} aria-label="Discard draft" onClick={discard}>
						<IconX size={20} aria-hidden />
					</ActionIcon>
				)}
				<ActionIcon
					title="Send"
					type="submit"
					variant="filled"
					size={40}
					aria-label="Send"
					// Ignores the second click of a double click, for which no draft is left.
					onClick={(event) => event.detail > 1 && event.preventDefault()}
				>
					<IconSend2 size={20} aria-hidden />
				</ActionIcon>
			</Group>
			{undo && isEmpty && <Discarded onUndo={undo} />}
			<ReplyPrice number={number} />
		</form>
	)
}

function useActions(number: string, draft: Draft, change: (next: Draft) => void) {
	const [discarded, setDiscarded] = useState<Draft | null>(null)
	return {
		submit() {
			const { text, file, replyTo } = draft
			if (!text.trim() && !file) return chatToast.error(NOTHING_TO_SEND)
			// Checks the length here. A limit of the field would cut off pasted text silently.
			const problem = tooLong(text.trim(), file !== null)
			if (problem) return chatToast.error(problem)
			send({ number, text: text.trim(), file, replyTo })
			setDiscarded(null)
			change(EMPTY_DRAFT)
		},
		discard() {
			setDiscarded(draft)
			change(EMPTY_DRAFT)
		},
		/** Restores the last discarded draft; null without one. */
		undo:
			discarded &&
			(() => {
				setDiscarded(null)
				change(discarded)
			}),
	}
}

/** Returns true for an Enter that sends. While an input method composes text, as for Hindi, Enter picks a word. */
function isEnter({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
	return key === 'Enter' && !shiftKey && !nativeEvent.isComposing
}

function Discarded({ onUndo }: { onUndo: () => void }) {
	return (
		<p className={`small ${styles.undo}`} role="status">
			Draft discarded.{' '}
			<Anchor component="button" type="button" underline="always" onClick={onUndo}>
				Undo
			</Anchor>
		</p>
	)
}

function Answered({ text, onRemove }: { text: string; onRemove: () => void }) {
	return (
		<Group className={`well ${styles.reply}`} gap={10} wrap="nowrap" py={6} px={8} mb={8}>
			<span className="grow one-line">
				<span className="visually-hidden">Replying to: </span>
				<bdi>{text}</bdi>
			</span>
			<ActionIcon color="gray" size={28} aria-label="Remove the quote" onClick={onRemove}>
				<IconX size={16} aria-hidden />
			</ActionIcon>
		</Group>
	)
}
