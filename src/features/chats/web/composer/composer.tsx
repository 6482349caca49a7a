import { ActionIcon, Anchor, Group, Textarea } from '@mantine/core'
import { IconSend2, IconX } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import type { ChatContact } from '#features/chats/contract.ts'
import { NOTHING_TO_SEND } from '#features/chats/rules.ts'
import { tooLong } from '#features/replies/rules.ts'
import { AttachmentChip } from '#features/replies/web/parts.tsx'
import { chatToast } from '#lib/web/toast.tsx'
import { numberLabel } from '../chat-name.ts'
import { send } from '../outbox.ts'
import { FilePicker } from './file-picker.tsx'
import { ReplyPrice } from './reply-price.tsx'
import { EMPTY_DRAFT, type Draft } from './use-draft.ts'
import { useSavedReplies } from './use-saved-replies.tsx'
import styles from './composer.module.css'

interface ComposerProps {
	contact: ChatContact
	draft: Draft
	onChange: (part: Partial<Draft>) => void
	/** Called with a chosen or pasted file, before it is checked. */
	onFile: (file: File) => void
	input: React.RefObject<HTMLTextAreaElement | null>
}

/** Renders the input of a message: Enter sends, Shift+Enter starts a new line, a slash opens the saved replies. */
export function Composer({ contact: { number, name }, draft, onChange, onFile, input }: ComposerProps) {
	const { text, file, replyTo } = draft
	const { submit, discard, undo } = useActions(number, draft, (next) => {
		onChange(next)
		input.current?.focus()
	})
	const customerName = name === numberLabel(number) ? '' : name
	const onText = (next: string) => onChange({ text: next })
	const saved = useSavedReplies({ customerName, text, onText, onFile, input })
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
			{saved.list}
			{replyTo && <Answered text={replyTo.text} onRemove={() => onChange({ replyTo: null })} />}
			{file && <AttachmentChip file={file} onRemove={() => onChange({ file: null })} />}
			<Group gap={4} align="flex-end" wrap="nowrap">
				<FilePicker onFile={onFile} />
				{saved.button}
				<MessageInput
					draft={draft}
					input={input}
					onText={saved.take}
					onFile={onFile}
					onFocus={saved.close}
					onEnter={submit}
					onEscape={() => onChange({ replyTo: null })}
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

interface MessageInputProps extends Pick<ComposerProps, 'draft' | 'input' | 'onFile'> {
	onText: (text: string) => void
	onFocus: () => void
	onEnter: () => void
	onEscape: () => void
}

function MessageInput({ draft, input, onText, onFile, onFocus, onEnter, onEscape }: MessageInputProps) {
	return (
		<Textarea
			ref={input}
			className={styles.input}
			aria-label="Message"
			placeholder={draft.file ? 'Add a caption' : 'Type a message'}
			minRows={1}
			maxRows={6}
			dir="auto"
			value={draft.text}
			onChange={(event) => onText(event.currentTarget.value)}
			onFocus={onFocus}
			onKeyDown={(event) => {
				if (event.key === 'Escape' && draft.replyTo) {
					event.preventDefault()
					onEscape()
				}
				if (!isEnter(event)) return
				event.preventDefault()
				onEnter()
			}}
			onPaste={(event) => {
				const [pasted] = event.clipboardData.files
				if (!pasted) return
				event.preventDefault()
				onFile(pasted)
			}}
		/>
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
