import { useMemo } from 'react'

/**
 * Returns a `ref` for images and players that show the file. Those on screen share one object URL, which is revoked with
 * the last of them.
 */
export function useFileSource(file: Blob | null | undefined) {
	return useMemo(() => sourceOf(file), [file])
}

function sourceOf(file: Blob | null | undefined) {
	let url = ''
	let elements = 0
	return (element: HTMLImageElement | HTMLMediaElement | null) => {
		if (!element || !file) return
		if (elements++ === 0) url = URL.createObjectURL(file)
		element.src = url
		return () => {
			if (--elements === 0) URL.revokeObjectURL(url)
		}
	}
}
