import { IconBolt } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { AttachmentChip, InsertReply } from '#features/replies/web/parts.tsx'
import { usePreloaded } from '#lib/web/ui/late-part.tsx'
import { CaptionedIcon } from '#lib/web/ui/layout/captioned-icon.tsx'

interface Message {
	/** Empty when the customer's name is unknown. */
	customerName: string
	text: string
	onText: (text: string) => void
	onFile: (file: File) => void
	input: React.RefObject<HTMLTextAreaElement | null>
}

/** Returns the list of saved replies, its button, and `take`, which receives each change of the text. */
export function useSavedReplies({ customerName, text, onText, onFile, input }: Message): {
	list: ReactNode
	button: ReactNode
	take: (text: string) => void
	close: () => void
} {
	const [state, setState] = useState<'closed' | 'typed' | 'pressed'>('closed')
	usePreloaded(InsertReply, AttachmentChip)
	const closeWith = (next: string) => {
		setState('closed')
		onText(next)
		input.current?.focus()
	}
	return {
		list: state !== 'closed' && (
			<InsertReply
				customerName={customerName}
				onClose={(search) => closeWith(state === 'typed' && search.trim() ? `/${search}` : text)}
				onInsert={(reply) => {
					if (reply.file) onFile(reply.file)
					closeWith(text.trim() && reply.text ? `${text.trimEnd()} ${reply.text}` : text || reply.text)
				}}
			/>
		),
		button: (
			<CaptionedIcon
				aria-label="Saved replies"
				caption="Replies"
				icon={<IconBolt size={20} aria-hidden />}
				aria-expanded={state !== 'closed'}
				onClick={() => setState(state === 'closed' ? 'pressed' : 'closed')}
			/>
		),
		take(typed) {
			// The slash goes to the search of the list, so that it is never sent by mistake.
			if (text === '' && typed === '/') setState('typed')
			else onText(typed)
		},
		close: () => setState('closed'),
	}
}
