import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { query } from '#lib/web/query.ts'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { templateError } from '../template-errors.ts'
import { draftStore } from './draft.ts'
import { duplicateOf } from './duplicate.ts'
import { FormSkeleton } from './form-skeleton.tsx'
import { EMPTY_TEMPLATE } from './template-fields.ts'
import { TemplateForm } from './template-form.tsx'

/** A new template; with `?from=12` in the address, one like the template of that id. */
export function CreateTemplate() {
	const [search] = useSearchParams()
	const from = search.get('from')
	return (
		<>
			<PageHeader
				title="Create Template"
				hint="WhatsApp reviews each template before it can be sent, usually within minutes."
			/>
			{from ? <Duplicate key={from} id={from} /> : <OpenForm key="new" original={null} />}
		</>
	)
}

function Duplicate({ id }: { id: string }) {
	const original = useQuery({ ...query(templates.get, { params: { id } }), staleTime: Infinity })
	const isLate = useDelayed(original.isPending)
	if (original.data) return <OpenForm original={original.data} />
	if (!original.error) return isLate ? <FormSkeleton /> : null
	return (
		<LoadError
			message={templateError(original.error, 'Failed to view template')}
			onRetry={() => void original.refetch()}
			busy={original.isFetching}
		/>
	)
}

/** Opens the form as it was left, if it was. */
function OpenForm({ original }: { original: TemplateRow | null }) {
	const userId = useCurrentUser()?._id ?? ''
	const [opened] = useState(() => {
		const store = draftStore(localStorage, { userId, from: original?._id ?? null })
		return { store, initial: original ? duplicateOf(original) : EMPTY_TEMPLATE, restored: store.read() }
	})
	return <TemplateForm {...opened} original={original} />
}
