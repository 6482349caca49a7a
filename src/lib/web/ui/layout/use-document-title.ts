import { useEffect } from 'react'

const PRODUCT = 'WhatsApp Bulk Message'

export function useDocumentTitle(title: string): void {
	useEffect(() => {
		document.title = `${title} · ${PRODUCT}`
	}, [title])
}
