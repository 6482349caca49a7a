import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '#lib/web/query.ts'
import { templates, type TemplateRow } from '../contract.ts'

interface ShownFile {
	/** An address of the file inside this page. */
	url: string
	name: string
}

/** The file of a template's header. It is fetched with the token, as an address in an `img` would come without one. */
export function useHeaderFile(template: Pick<TemplateRow, '_id' | 'mediaUrl'> | undefined): ShownFile | null {
	const id = template?.mediaUrl ? template._id : ''
	const { data: file } = useQuery({
		...query(templates.headerFile, { params: { id } }),
		enabled: id !== '',
		retry: false,
		staleTime: 300_000,
	})
	const [shown, setShown] = useState<ShownFile | null>(null)
	useEffect(() => {
		if (!file) return
		const url = URL.createObjectURL(file)
		setShown({ url, name: file.name })
		return () => {
			setShown(null)
			URL.revokeObjectURL(url)
		}
	}, [file])
	return shown
}
