import { useCallback } from 'react'

/** For the `ref` of a picture or player: shows the file, at an address that lasts as long as the element. */
export function useFileSource(file: Blob | null | undefined) {
	return useCallback(
		(node: HTMLImageElement | HTMLMediaElement | null) => {
			if (!node || !file) return
			const url = URL.createObjectURL(file)
			node.src = url
			return () => URL.revokeObjectURL(url)
		},
		[file],
	)
}
