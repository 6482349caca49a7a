import { use, useEffect, type ReactNode } from 'react'
import type { SchemaForm } from '#lib/web/form.ts'
import { DraftNotice } from './draft-notice.tsx'
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
