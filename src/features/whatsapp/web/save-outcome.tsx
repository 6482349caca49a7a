import { useEffect, useRef } from 'react'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'

interface SaveOutcomeProps {
	/** Why nothing was saved; empty when it was. */
	refusal: string
	/** What does not work yet although it was saved. */
	warnings: string[]
}

/** WhatsApp's advice is too long for a toast, so it is shown here, scrolled into view, until the next attempt. */
export function SaveOutcome({ refusal, warnings }: SaveOutcomeProps) {
	const place = useRef<HTMLDivElement>(null)
	const isEmpty = refusal === '' && warnings.length === 0
	useEffect(() => {
		if (!isEmpty) place.current?.scrollIntoView({ block: 'nearest' })
	}, [isEmpty])
	if (isEmpty) return null
	return (
		<div className="stack" ref={place}>
			{refusal && <Notice tone="error">{refusal}</Notice>}
			{warnings.map((warning) => (
				<Notice key={warning} tone="warn" role="alert">
					{warning}
				</Notice>
			))}
		</div>
	)
}
