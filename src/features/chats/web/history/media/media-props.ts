import type { ChatMessage } from '#features/chats/contract.ts'

export interface MediaProps {
	message: ChatMessage
	/** The local file, until the server has confirmed the message. */
	file: File | null
}
