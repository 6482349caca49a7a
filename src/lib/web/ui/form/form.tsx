import { Anchor } from '@mantine/core'
import { type ReactNode, use, useEffect } from 'react'
import type { FormDraft } from '#lib/web/drafts/use-form-draft.ts'
import type { SchemaForm } from '#lib/web/form.ts'
import { Notice } from '../feedback/notice.tsx'
import { DialogContext, FormBusyContext } from './form-context.ts'

export interface FormProps<Values> {
	/** The result of `useSchemaForm`. */
	state: Pick<SchemaForm<Values>, 'form' | 'busy' | 'draft' | 'onSubmit'>
	/** See `missing` of `DraftNotice`. */
	missing?: string | false
	className?: string
	label?: string
	children: ReactNode
}

/**
 * Renders the form of a `useSchemaForm` with a notice for a restored draft. Passes its busy state to dialog and
 * buttons.
 */
export function Form<Values>({ state, missing, className = 'stack', label, children }: FormProps<Values>) {
	const { busy, draft, onSubmit } = state
	const { setBusy } = use(DialogContext)
	useEffect(() => {
		setBusy(busy)
		return () => setBusy(false)
	}, [busy, setBusy])
	return (
		<form className={className} aria-label={label} onSubmit={onSubmit} noValidate>
			<DraftNotice draft={draft} missing={missing} />
			<FormBusyContext value={busy}>{children}</FormBusyContext>
		</form>
	)
}

interface DraftNoticeProps {
	draft: FormDraft
	/** Sentence about fields that drafts never contain: "Passwords have to be entered again." */
	missing?: string | false
}

/** Shows that the form opened with a draft, and offers to discard it; the user can undo this until the next input. */
function DraftNotice({ draft: { state, startAfresh, undo }, missing }: DraftNoticeProps) {
	if (state === 'none') return null
	const isRestored = state === 'restored'
	return (
		<Notice tone="info" role="status">
			<p>
				{isRestored ? 'Your draft has been restored.' : 'Draft discarded.'} {isRestored && missing}{' '}
				<Anchor component="button" type="button" inherit underline="always" onClick={isRestored ? startAfresh : undo}>
					{isRestored ? 'Start over' : 'Undo'}
				</Anchor>
			</p>
		</Notice>
	)
}
