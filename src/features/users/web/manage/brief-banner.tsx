import { Box } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'

const SHOWN_MS = 3000

interface Banner {
	tone: 'ok' | 'error'
	text: string
}

export function useBriefBanner(): [banner: Banner | null, show: (banner: Banner) => void] {
	const [banner, setBanner] = useState<Banner | null>(null)
	useEffect(() => {
		if (!banner) return
		const timer = setTimeout(() => setBanner(null), SHOWN_MS)
		return () => clearTimeout(timer)
	}, [banner])
	return [banner, setBanner]
}

/** Shows the result of the last action for three seconds, in view also when a long form is scrolled. */
export function BriefBanner({ banner }: { banner: Banner | null }) {
	return (
		<Box pos="sticky" top={72} pb={banner ? 16 : 0} style={{ zIndex: 1 }}>
			{banner && (
				<Notice tone={banner.tone} role={banner.tone === 'ok' ? 'status' : 'alert'}>
					{banner.text}
				</Notice>
			)}
		</Box>
	)
}
