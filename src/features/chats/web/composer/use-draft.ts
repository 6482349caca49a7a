import { useCallback, useRef, useState } from 'react'
import { queryClient } from '#lib/web/query.ts'
import type { Quoted } from '../outbox.ts'
import { readDraftText, storeDraftText } from './draft-text.ts'

export interface Draft {
	text: string
	file: File | null
	replyTo: Quoted | null
}

const DRAFTS = 'chat-draft'
queryClient.setQueryDefaults([DRAFTS], { gcTime: Infinity, staleTime: Infinity, structuralSharing: false })

export const EMPTY_DRAFT: Draft = { text: '', file: null, replyTo: null }

/** What is being written in this chat. The text outlives a reload; the rest lasts while the page does. */
export function useDraft(number: string): [draft: Draft, change: (part: Partial<Draft>) => void] {
	const [draft, setDraft] = useState<Draft>(
		() => queryClient.getQueryData([DRAFTS, number]) ?? { ...EMPTY_DRAFT, text: readDraftText(sessionStorage, number) },
	)
	const latest = useRef(draft)
	const change = useCallback(
		(part: Partial<Draft>) => {
			latest.current = { ...latest.current, ...part }
			setDraft(latest.current)
			queryClient.setQueryData([DRAFTS, number], latest.current)
			storeDraftText(sessionStorage, number, latest.current.text)
		},
		[number],
	)
	return [draft, change]
}
