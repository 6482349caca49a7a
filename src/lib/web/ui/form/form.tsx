import { Anchor } from '@mantine/core'
import { type ReactNode, use, useEffect } from 'react'
import type { FormDraft } from '#lib/web/drafts/use-form-draft.ts'
import type { SchemaForm } from '#lib/web/form.ts'
import { Notice } from '../feedback/notice.tsx'
import { DialogContext, FormBusyContext } from './form-context.ts'

export interface FormProps<Values> {
	/** What `useSchemaForm` has returned. */
	state: Pick<SchemaForm<Values>, 'form' | 'busy' | 'draft' | 'onSubmit'>
	/** As of `DraftNotice`: what is not in the draft. */
	missing?: string | false
	className?: string
	label?: string
	children: ReactNode
}

/** The form of a `useSchemaForm`: says where a draft was restored, and lets its dialog and its buttons know when it is busy. */
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
	/** What is never kept and has to be given again: "Passwords have to be entered again." */
	missing?: string | false
}

/** Says that the form opened with what was typed before, and lets that be put aside, which can be undone until something is typed. */
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
