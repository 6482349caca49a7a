import type { ChatMessage } from '#features/chats/contract.ts'

export interface MediaProps {
	message: ChatMessage
	/** The file itself, while the server has not confirmed the message. */
	file: File | null
}
