import { Anchor } from '@mantine/core'
import type { FormDraft } from '#lib/web/drafts/use-form-draft.ts'
import { Notice } from '../feedback/notice.tsx'

interface DraftNoticeProps {
	draft: FormDraft
	/** What is never kept and has to be given again: "Passwords have to be entered again." */
	missing?: string | false
}

/** Says that the form opened with what was typed before, and lets that be put aside, which can be undone until something is typed. */
export function DraftNotice({ draft: { state, startAfresh, undo }, missing }: DraftNoticeProps) {
	if (state === 'none') return null
	const isRestored = state === 'restored'
	return (
		<Notice tone="info" role="status">
			<p>
				{isRestored ? 'Your draft has been restored.' : 'Draft discarded.'} {isRestored && missing}{' '}
				<Anchor component="button" type="button" inherit underline="always" onClick={isRestored ? startAfresh : undo}>
					{isRestored ? 'Start afresh' : 'Undo'}
				</Anchor>
			</p>
		</Notice>
	)
}
