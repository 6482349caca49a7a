import { useCallback, useRef, useState } from 'react'
import { draftOf, likeForm } from '#lib/web/drafts/draft-store.ts'
import { queryClient } from '#lib/web/query.ts'
import type { Quoted } from '../outbox.ts'

export interface Draft {
	text: string
	file: File | null
	replyTo: Quoted | null
}

const DRAFTS = 'chat-draft'
queryClient.setQueryDefaults([DRAFTS], { gcTime: Infinity, staleTime: Infinity, structuralSharing: false })

export const EMPTY_DRAFT: Draft = { text: '', file: null, replyTo: null }

/**
 * Returns the unsent message of this chat and its setter. The text survives a reload and a sign-out; file and quote do not
 * survive a reload.
 */
export function useDraft(number: string): [draft: Draft, change: (part: Partial<Draft>) => void] {
	const [draft, setDraft] = useState<Draft>(
		() =>
			queryClient.getQueryData([DRAFTS, number]) ?? { ...EMPTY_DRAFT, ...likeForm(storeOf(number).read(), NO_TEXT) },
	)
	const latest = useRef(draft)
	const change = useCallback(
		(part: Partial<Draft>) => {
			latest.current = { ...latest.current, ...part }
			setDraft(latest.current)
			queryClient.setQueryData([DRAFTS, number], latest.current)
			storeOf(number).write({ text: latest.current.text }, NO_TEXT)
		},
		[number],
	)
	return [draft, change]
}

const NO_TEXT = { text: '' }

function storeOf(number: string) {
	return draftOf(`chat:${number}`)
}
